import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ANY_AGE, contentHash, sweepTemporaries, writeFileAtomic } from '../../src/store/atomic-file.ts'
import { assertRule, type Scenario } from './scenario.ts'

const FILES = 5
/** Sizes differ so that some kills fall into the middle of a write. */
const SIZES = [10, 5_000, 400_000]

interface Content {
  version: number
  filler: string
  hash: string
}

function read(file: string): Content {
  return JSON.parse(readFileSync(file, 'utf8')) as Content
}

const nameOf = (version: number) => `file-${version % FILES}.json`

/** Files replaced again and again, some of them created anew: never torn, never older than acknowledged. */
export const scenario: Scenario = {
  name: 'atomic-write',

  async child(directory, acknowledge) {
    const present = readdirSync(directory).filter(name => name.endsWith('.json'))
    const versions = present.map(name => read(join(directory, name)).version)
    for (let version = Math.max(0, ...versions) + 1; ; version++) {
      const filler = String(version % 10).repeat(SIZES[version % SIZES.length] ?? 0)
      const content: Content = { version, filler, hash: contentHash(`${version}${filler}`) }
      await writeFileAtomic(join(directory, nameOf(version)), JSON.stringify(content))
      acknowledge(String(version))
    }
  },

  async check(directory, acknowledged) {
    const names = readdirSync(directory)
    const strangers = names.filter(name => !/^file-\d\.json$|^\.reverie-[0-9a-f]{16}\.tmp$/.test(name))
    assertRule(strangers.length === 0, `no other files are left (${strangers.join()})`)
    const leftovers = names.filter(name => name.endsWith('.tmp')).length
    assertRule(leftovers <= 1, `a kill leaves one temporary file at most (${leftovers})`)
    for (const name of names.filter(name => name.endsWith('.json'))) {
      const { version, filler, hash } = read(join(directory, name))
      assertRule(contentHash(`${version}${filler}`) === hash, `${name} is whole`)
    }
    for (const record of acknowledged.slice(-FILES)) {
      const found = read(join(directory, nameOf(Number(record))))
      assertRule(found.version >= Number(record), `version ${record} is there (found ${found.version})`)
    }
    const swept = await sweepTemporaries(directory, { olderThanMs: ANY_AGE })
    assertRule(swept.length === leftovers, 'leftovers can be swept')
  },
}
