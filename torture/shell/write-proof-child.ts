/** Runs commands in a write-proof shell, in a process of its own that can be watched: roots and commands come in as JSON. */
import { readFileSync } from 'node:fs'
import { openWriteProofShell } from '../../src/tools/write-proof/shell.ts'

const { root, commands } = JSON.parse(readFileSync(0, 'utf8')) as { root: string; commands: string[] }
const shell = await openWriteProofShell({ roots: [root] })
let output = ''
for (const command of commands) {
  const { stdout, stderr } = await shell.exec(command, { timeoutMs: 2_000 })
  output += stdout + stderr
}
process.stdout.write(output)
