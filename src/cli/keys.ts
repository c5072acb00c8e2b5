import type { Command } from 'commander'
import { Keys } from '../surfaces/keys/index.ts'
import { printable } from '../surfaces/text/printable.ts'
import { table } from '../surfaces/text/table.ts'
import { Invocation } from './invocation.ts'

const EXAMPLES = `
Examples:
  $ reverie keys create open-webui      prints the key, once
  $ reverie keys list
  $ reverie keys revoke 1f0c9a7e
`

export function define(command: Command): void {
  command.addHelpText('after', EXAMPLES)
  command
    .command('create <name>')
    .description('make a key for a program; it is shown once and kept only as a hash')
    .action(async (name: string, _: unknown, self: Command) => {
      const { home, output } = new Invocation(self)
      const made = await new Keys(home).create(name)
      output.result(made, () => made.key)
      if (!output.json)
        output.message(`Key ${made.id}. It is not shown again: put it where the program finds it.`)
    })
  command
    .command('list')
    .description('the keys that let programs in')
    .action((_: unknown, self: Command) => {
      const { home, output } = new Invocation(self)
      const keys = new Keys(home).list()
      output.result(keys, () => {
        if (keys.length === 0) return 'There are no keys.'
        return table([
          ['ID', 'MADE', 'NAME'],
          ...keys.map(({ id, createdAt, name }) => [id, createdAt.slice(0, 10), printable(name)]),
        ])
      })
    })
  command
    .command('revoke <id>')
    .description('a key lets nobody in from now on')
    .action(async (id: string, _: unknown, self: Command) => {
      const { home, output } = new Invocation(self)
      const revoked = await new Keys(home).revoke(id)
      output.result(revoked, () => `Key ${id} (${printable(revoked.name)}) lets nobody in any more.`)
    })
}
