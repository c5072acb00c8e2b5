import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import {
  everySessions,
  headerAsMarkdown,
  type ListedSession,
  messageAsMarkdown,
  NoSuchSession,
  ROLES,
  type Role,
  SessionIndex,
  Sessions,
} from '../session/index.ts'
import { because, PRIVATE_FILE, ReverieError } from '../store/index.ts'
import { printable } from '../surfaces/text/printable.ts'
import { printFound, printSessions } from '../surfaces/text/sessions.ts'
import { Invocation } from './invocation.ts'
import { positive } from './numbers.ts'
import { orStandardInput } from './standard-input.ts'
import { parseTime } from './time.ts'

const EXAMPLES = `
Examples:
  $ reverie sessions list
  $ reverie sessions search "why did we choose Postgres" --since "2 weeks"
  $ reverie sessions show 20261118            the beginning of an id is enough
  $ reverie sessions export 20261118 --out talk.md
  $ reverie sessions delete 20261118          it stays in the trash for 30 days
`

export function define(command: Command): void {
  command.addHelpText('after', EXAMPLES)
  defineList(command)
  defineSearch(command)
  defineShow(command)
  defineResume(command)
  on(
    command
      .command('fork <id>')
      .description('a new session that goes on from this one')
      .option('--at <message>', 'up to this message'),
    async (sessions, id, { at }: { at?: string }, { output }) => {
      const forked = await sessions.fork(id, at)
      output.result({ id: forked, from: id }, () => `Forked ${id}: the new session is ${forked}.`)
    },
  )
  on(
    command.command('rename <id> <title>').description('give a session another title'),
    async (sessions, id, _: object, { output }, title) => {
      await sessions.rename(id, title)
      output.result({ id, title }, () => `${id} is now called "${printable(title)}".`)
    },
  )
  on(
    command.command('delete <id>').description('move a session to the trash, for 30 days'),
    async (sessions, id, _: object, { output }) => {
      await sessions.delete(id)
      output.result(
        { id },
        () => `Deleted ${id}. It can be brought back for 30 days: reverie sessions restore ${id}`,
      )
    },
  )
  command
    .command('restore <id>')
    .description('bring a deleted session back')
    .action(async (id: string, _: object, self: Command) => {
      const invocation = new Invocation(self)
      await restore(id, invocation)
      invocation.output.result({ id }, () => `Restored ${id}.`)
    })
}

/** Any project's can be deleted from here, so any project's can be brought back. */
async function restore(id: string, invocation: Invocation): Promise<void> {
  const own = ownSessions(invocation)
  const others = await everySessions(invocation.home)
  const shelves = [own, ...others]
  const trashed = await Promise.all(shelves.map(sessions => sessions.isTrashed(id)))
  await (shelves[trashed.indexOf(true)] ?? own).restore(id)
}

function defineList(command: Command): void {
  command
    .command('list')
    .description('the sessions of this project, newest first')
    .option('--all', 'of every project')
    .option('-n <count>', 'how many at most', positive)
    .action(async ({ all, n }: { all?: boolean; n?: number }, self: Command) => {
      const invocation = new Invocation(self)
      const shelves = all ? await everySessions(invocation.home) : [ownSessions(invocation)]
      const listed = (await Promise.all(shelves.map(sessions => sessions.list()))).flat()
      const newest = listed.sort(byActivity).slice(0, n ?? listed.length)
      const elsewhere = listed.length === 0 && !all ? await countElsewhere(invocation) : 0
      invocation.output.result(newest, () => printSessions(newest, { all: all ?? false, elsewhere }))
    })
}

async function countElsewhere(invocation: Invocation): Promise<number> {
  const counts = (await everySessions(invocation.home)).map(async sessions => (await sessions.ids()).length)
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

function byActivity(a: ListedSession, b: ListedSession): number {
  return a.lastAt < b.lastAt ? 1 : a.lastAt > b.lastAt ? -1 : 0
}

interface SearchFlags {
  k: number
  since?: Date
  before?: Date
  role?: Role
  here?: boolean
}

function defineSearch(command: Command): void {
  command
    .command('search <query>')
    .description('what was said, in every session of every project')
    .option('-k <n>', 'how many at most', positive, 10)
    .option('--since <time>', 'not before: 2026-04-01, "3 days", "2 weeks"', parseTime)
    .option('--before <time>', 'not after', parseTime)
    .addOption(new Option('--role <role>', 'said by whom').choices(ROLES))
    .option('--here', 'only in this project')
    .action(async (query: string, { k, since, before, role, here }: SearchFlags, self: Command) => {
      const invocation = new Invocation(self)
      using index = SessionIndex.open(invocation.home)
      await index.refresh()
      const found = await index.search(query, {
        limit: k,
        ...(since && { since }),
        ...(before && { before }),
        ...(role && { role }),
        ...(here && { project: invocation.project.slug }),
      })
      invocation.output.result(found, () => printFound(found))
    })
}

function defineResume(command: Command): void {
  command
    .command('resume [id]')
    .description('go on with a session, the last one of this project unless told')
    .option('-m, --message <text>', 'say this, then exit; - reads it from standard input')
    .action(async (beginning: string | undefined, { message }: { message?: string }, self: Command) => {
      const invocation = new Invocation(self)
      const id =
        beginning === undefined ? await newest(invocation) : await ownSessions(invocation).find(beginning)
      // Only this one of the commands needs an agent.
      const { answerOnce, goOnOnce, openAgent, talk } = await import('./chat/index.ts')
      await using opened = await openAgent(invocation, {
        session: id,
        brief: message !== undefined || invocation.output.json || !process.stdin.isTTY,
      })
      // Awaited, because the agent is closed when this returns.
      if (message !== undefined) await answerOnce(opened, await orStandardInput(message), invocation)
      else if (!invocation.output.json) await talk(opened, invocation)
      else if (opened.agent.isUnanswered) await goOnOnce(opened, invocation)
      else invocation.output.result({ session: id, unanswered: false }, () => '')
    })
}

async function newest(invocation: Invocation): Promise<string> {
  const session = (await ownSessions(invocation).list()).find(({ problem }) => problem === undefined)
  if (!session)
    throw new NoSuchSession(
      'This project has no session yet. `reverie sessions list --all` shows those of others.',
    )
  return session.id
}

interface ShowFlags {
  all?: boolean
}

function defineShow(command: Command): void {
  on(
    command
      .command('show <id>')
      .description('what is live of a session; with --all every word of it')
      .option('--all', 'from the very beginning, also what was summarised since'),
    async (sessions, id, { all }: ShowFlags, { output }) => {
      const { header, meta, messages, summary, problems, cutOff } = await sessions.load(id)
      if (output.json) {
        const every = all ? await Array.fromAsync(sessions.messages(id)) : messages
        return output.result(
          { ...header, ...meta, summary: summary ?? null, messages: every, problems, cutOff },
          () => '',
        )
      }
      async function* markdown() {
        yield `${headerAsMarkdown(header, meta.title ?? '')}\n`
        if (summary !== undefined && !all) yield `> *what came before:* ${summary}\n\n`
        for await (const message of all ? sessions.messages(id) : messages)
          yield `${messageAsMarkdown(message)}\n`
      }
      await print(markdown(), printable)
      for (const { offset, problem } of problems)
        output.message(
          `A line of ${sessions.pathOf(id)} (at byte ${offset}) could not be read: ${printable(problem)}.`,
        )
    },
  )
  on(
    command
      .command('export <id>')
      .description('all of a session as Markdown')
      .option('--out <file>', 'into a file, which must not exist yet'),
    async (sessions, id, { out }: { out?: string }, { output }) => {
      const { header, meta } = await sessions.load(id)
      async function* markdown() {
        yield `${headerAsMarkdown(header, meta.title ?? '')}\n`
        for await (const message of sessions.messages(id)) {
          const text = messageAsMarkdown(message)
          if (text !== '') yield `${text}\n`
        }
      }
      if (out === undefined) {
        if (output.json)
          return output.result({ id, markdown: (await Array.fromAsync(markdown())).join('') }, () => '')
        // In a file it is as it was; a terminal would obey it.
        return print(markdown(), process.stdout.isTTY ? printable : text => text)
      }
      try {
        await pipeline(markdown(), createWriteStream(out, { flags: 'wx', mode: PRIVATE_FILE }))
      } catch (error) {
        throw new ReverieError(`Could not write ${out}: ${because(error)}.`, { cause: error })
      }
      output.result({ id, file: out }, () => `Exported to ${out}.`)
    },
  )
}

/** Waits for whoever reads, so that no session is too large to be printed. */
async function print(texts: AsyncIterable<string>, form: (text: string) => string): Promise<void> {
  for await (const text of texts) if (!process.stdout.write(form(text))) await once(process.stdout, 'drain')
}

type Action<Flags> = (
  sessions: Sessions,
  id: string,
  flags: Flags,
  invocation: Invocation,
  argument: string,
) => Promise<void>

/** Finds the session that the first argument names, in this project or, when it has none such, in another. */
function on<Flags extends object>(command: Command, action: Action<Flags>): void {
  command.action(async (...args: unknown[]) => {
    const self = args.at(-1) as Command
    const invocation = new Invocation(self)
    const [beginning = '', argument = ''] = args.filter(arg => typeof arg === 'string')
    const { sessions, id } = await findSession(invocation, beginning)
    await action(sessions, id, self.opts<Flags>(), invocation, argument)
  })
}

async function findSession(
  invocation: Invocation,
  beginning: string,
): Promise<{ sessions: Sessions; id: string }> {
  const own = ownSessions(invocation)
  try {
    return { sessions: own, id: await own.find(beginning) }
  } catch (error) {
    if (!(error instanceof NoSuchSession)) throw error
    for (const sessions of await everySessions(invocation.home)) {
      const id = await sessions.find(beginning).catch(() => undefined)
      if (id !== undefined) return { sessions, id }
    }
    throw error
  }
}

function ownSessions({ home, project }: Invocation): Sessions {
  return new Sessions(home, project)
}
