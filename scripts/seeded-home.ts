/** A home with some weeks of somebody's life in it, for pictures of the page: nothing in it is real. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { dreamContext } from '../src/assembly/index.ts'
import { DEFAULTS, findProject, homeAt } from '../src/config/index.ts'
import { dream } from '../src/dream/index.ts'
import { Memory, type MemoryType } from '../src/memory/index.ts'
import { type Message, Sessions, type Usage } from '../src/session/index.ts'
import { Schedule, TaskList } from '../src/work/index.ts'

const DAY_MS = 24 * 60 * 60 * 1000

type Told = [day: number, type: MemoryType, name: string, description: string, body: string]

const MEMORIES: Told[] = [
  [
    44,
    'user',
    'Prefers tabs',
    'Indents with tabs, never with spaces',
    'Use tabs for indentation, in every language.',
  ],
  [
    43,
    'user',
    'Works from Lisbon',
    'Lives in Lisbon, works from 9 to 17 local time',
    'Meetings after 17:00 only when it cannot wait.',
  ],
  [
    41,
    'project',
    'Harbour runs on PostgreSQL',
    'Harbour keeps its data in PostgreSQL 17',
    'One database for each tenant.\n\n**Why:** a tenant can be moved alone.',
  ],
  [
    40,
    'feedback',
    'Short answers',
    'Answer in a few sentences, then stop',
    'Lead with the answer.\n\n**Why:** long answers are not read on the phone.\n\n**How to apply:** three sentences, details on request.',
  ],
  [
    36,
    'reference',
    'Staging server',
    'Staging is reached at staging.harbour.example',
    'Log in with the team account; it is rebuilt each night at 02:00.',
  ],
  [
    35,
    'user',
    'Indents with tabs',
    'Uses tabs for indentation, never spaces',
    'Tabs for indentation in every language.',
  ],
  [
    30,
    'project',
    'Release train',
    'Harbour is released every second Thursday',
    'Branch two days before, freeze one day before, release by noon.',
  ],
  [
    27,
    'feedback',
    'No mocks in tests',
    'Tests use a real database, never a mock',
    'Start PostgreSQL in a temporary directory.\n\n**Why:** a mock hid a broken migration once.',
  ],
  [
    24,
    'project',
    'Invoices in euros',
    'Invoices are in euros, rounded per line',
    'Each line is rounded, then summed.',
  ],
  [
    20,
    'reference',
    'Error budget board',
    'The error budget is on the board “Harbour SLO”',
    'Look there before a release.',
  ],
  [
    16,
    'feedback',
    'Ask before pushing',
    'Never push to main without asking',
    'Open a branch and say what is on it.',
  ],
  [
    23,
    'feedback',
    'Real database in tests',
    'Tests use a real database and never a mock',
    'Start PostgreSQL in a temporary directory for tests.',
  ],
  [
    12,
    'project',
    'Import of old orders',
    'Orders before 2019 are imported from CSV in batches',
    'Batches of 5,000. Each batch is one transaction.',
  ],
  [
    9,
    'user',
    'Learns Portuguese',
    'Is learning Portuguese, and likes a word a day',
    'Put one word with its meaning under the morning summary.',
  ],
  [
    9,
    'project',
    'Releases',
    'Harbour is released every second Thursday',
    'Branch two days before, freeze one day before, release by noon.',
  ],
  [
    6,
    'project',
    'Search moves to pg_trgm',
    'Search uses pg_trgm now, the old index is switched off',
    'Decided after the trial of the last two weeks.',
  ],
  [
    2,
    'reference',
    'On-call handbook',
    'The on-call handbook is in docs/on-call.md',
    'It says who is called, and in which order.',
  ],
]

/** Before this many days memory was put in order. */
const DREAMS = [33, 22, 8]

type Turn = [said: string, answered: string]

const TALKS: [day: number, title: string, turns: Turn[]][] = [
  [
    26,
    'Why the import was slow',
    [
      [
        'The import of old orders takes an hour. Why?',
        'Each order is its own transaction, so each waits for the disk. In batches of 5,000 the same file takes **four minutes**.\n\n```sql\nBEGIN;\nCOPY orders_old FROM STDIN;\nCOMMIT;\n```',
      ],
    ],
  ],
  [
    19,
    'Rounding of invoices',
    [
      [
        'Sum first or round first?',
        'Round each line, then sum: that is what the tax office expects, and what the old invoices did.',
      ],
      [
        'Good. Make it so.',
        'Done: `roundLine` is applied before the sum, and 14 old invoices come out to the cent.',
      ],
    ],
  ],
  [
    11,
    'Plan for the release',
    [
      [
        'What is left for Thursday?',
        'Three things are open:\n\n1. the migration of `tenants`\n2. the new rounding, behind a flag\n3. the changelog',
      ],
    ],
  ],
  [
    5,
    'pg_trgm or a search server?',
    [
      [
        'Is pg_trgm good enough for our search?',
        'For 2 million rows, yes: the slowest query of the trial took 41 ms.\n\n| | pg_trgm | search server |\n|---|---|---|\n| p95 | 41 ms | 12 ms |\n| to run | nothing more | one more service |',
      ],
    ],
  ],
  [
    1,
    'On call this week',
    [['Who is on call this week?', 'You are, until Monday 09:00; Ana takes over then.']],
  ],
  [
    0,
    'Migration of tenants',
    [
      [
        'Write the migration for tenants.',
        'It is in `migrations/0042_tenants.sql`: a new column with a default, filled in batches, and the constraint last, so that nothing is locked for long.',
      ],
    ],
  ],
]

const MODEL = 'anthropic/claude-sonnet'

export async function seedHome(root: string, now = new Date()): Promise<{ home: string; project: string }> {
  const [home, directory] = [homeAt(join(root, 'home')), join(root, 'harbour')]
  mkdirSync(directory, { recursive: true })
  const project = findProject(directory)
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const events = [
    ...MEMORIES.map(memory => ({ day: memory[0], memory })),
    ...DREAMS.map(day => ({ day, memory: undefined })),
  ].sort((a, b) => b.day - a.day)
  for (const { day, memory: told } of events) {
    const at = () => before(day)
    using memory = await Memory.open({ home, project, now: at })
    if (told) {
      const [, type, name, description, body] = told
      await memory.save({ type, name, description, body })
    } else {
      const context = dreamContext({ home, project, config: structuredClone(DEFAULTS), env: {}, memory })
      await dream({ ...context, now: at }, { force: true })
    }
  }
  using memory = await Memory.open({ home, project })
  await memory.pin('feedback_ask-before-pushing.md')
  for (const [at, [day, title, turns]] of TALKS.entries()) {
    const sessions = new Sessions(home, project, { now: () => before(day) })
    await using transcript = sessions.create({ title })
    for (const [said, answered] of turns)
      await transcript.append(
        message({ id: `${at}-${said}`, role: 'user', origin: 'person', text: said, at: before(day) }),
        message({
          id: `${at}-${answered}`,
          role: 'assistant',
          origin: 'model',
          text: answered,
          at: before(day),
          usage: usageOf(answered),
        }),
      )
    await transcript.note({ model: MODEL })
  }
  const tasks = new TaskList(home, project)
  const design = await tasks.create({ subject: 'Agree on the new schema' })
  const migration = await tasks.create({ subject: 'Migration of tenants', blockedBy: [design.id] })
  const rounding = await tasks.create({ subject: 'Rounding behind a flag', blockedBy: [design.id] })
  const trial = await tasks.create({
    subject: 'Trial run on staging',
    blockedBy: [migration.id, rounding.id],
  })
  await tasks.create({ subject: 'Write the changelog', blockedBy: [rounding.id] })
  await tasks.create({ subject: 'Release on Thursday', blockedBy: [trial.id] })
  await tasks.complete(design.id)
  await tasks.claim(migration.id, { name: 'ana' })
  const schedule = new Schedule(home, project)
  const plan = (cron: string, prompt: string) =>
    schedule.add({ cron, prompt, madeBy: 'person', durable: true })
  await plan('0 9 * * 1-5', 'What changed since yesterday, and a Portuguese word')
  await plan('0 14 * * 4', 'Is everything ready for the release?')
  await plan('30 17 * * 5', 'Sum up the week in five lines')
  return { home: home.path, project: directory }
}

function usageOf(text: string): Usage {
  const output = 300 + text.length * 3
  const input = 9_000 + text.length * 40
  return {
    input,
    output,
    cacheRead: Math.round(input * 0.7),
    cacheWrite: 0,
    usd: (input * 3 + output * 15) / 1e6,
  }
}

function message({
  id,
  role,
  origin,
  text,
  at,
  usage,
}: Pick<Message, 'id' | 'role' | 'origin'> & { text: string; at: Date; usage?: Usage }): Message {
  return {
    id,
    role,
    origin,
    at: at.toISOString(),
    parts: [{ type: 'text', text }],
    ...(usage && { usage, model: MODEL, stop: 'end' as const }),
  }
}
