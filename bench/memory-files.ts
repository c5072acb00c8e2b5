import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MemoryWriter } from './recall-memories.ts'

const SEED = 7

/** Writes `count` generated memory files into a directory, as another program would have left them. */
export function writeMemoryFiles(directory: string, count: number): void {
  mkdirSync(directory, { recursive: true })
  const writer = new MemoryWriter(SEED)
  for (let number = 0; number < count; number++) {
    const { id, fields } = writer.memory(number)
    const [type] = id.split('_')
    const text = `---\nname: ${fields.name}\ndescription: ${fields.description}\ntype: ${type}\n---\n\n${fields.body}\n`
    writeFileSync(join(directory, id), text)
  }
}
