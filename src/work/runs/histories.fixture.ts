/** The ledger's rules, in every interleaving that a generator can think of (5-work.md, "The run ledger"). */
import fc from 'fast-check'
import { RUNS_KEPT } from './decide.ts'
import type { RunPlace } from './ledger.ts'
import { isLive, type Run } from './run.ts'
import { World } from './world.fixture.ts'

const SOURCES = ['a', 'b', 'c']
/** What no command touches. */
const LONG = 'long'

/** The model is nothing but the rules themselves: they are checked after every command. */
type Model = Record<string, never>

class Command implements fc.AsyncCommand<Model, World> {
  #name: string
  #act: (world: World) => Promise<unknown> | unknown

  constructor(name: string, act: (world: World) => Promise<unknown> | unknown) {
    this.#name = name
    this.#act = act
  }

  check = () => true

  async run(_: Model, world: World): Promise<void> {
    await this.#act(world)
    await world.still()
    const problems = world.check(RUNS_KEPT)
    if (problems.length > 0) throw new Error(problems.join('; '))
  }

  toString = () => this.#name
}

const process = fc.nat(2)
const source = fc.constantFrom(...SOURCES)
const which = fc.nat(3)
/** Of the runs so far, counted from the newest. */
const runAt = fc.nat(5)
const idOf = (world: World, at: number) => world.place.read().at(-1 - at)?.id ?? 'none'

const commands = [
  fc.tuple(process, source).map(([p, s]) => new Command(`tick ${p} ${s}`, world => world.tick(p, s))),
  ...[1, 2, 3].map(() =>
    fc.tuple(process, which).map(([p, n]) => new Command(`step ${p} ${n}`, world => world.step(p, n))),
  ),
  fc.tuple(process, which).map(([p, n]) => new Command(`full ${p} ${n}`, world => world.failWrite(p, n))),
  fc
    .tuple(process, source, fc.constantFrom('well', 'error', 'abort', 'closed'))
    .map(([p, s, how]) => new Command(`finish ${p} ${s} ${how}`, world => world.finish(p, s, how))),
  process.map(p => new Command(`kill ${p}`, world => world.kill(p))),
  fc.constant(
    new Command('recover', async world => {
      await world.outside.recover()
      const alive = new Set(world.processes.map(({ identity }) => identity.pid))
      const left = world.place.read().find(run => isLive(run) && !alive.has(run.owner.pid))
      if (left) throw new Error(`${left.id} was left by a dead process`)
    }),
  ),
  source.map(
    s =>
      new Command(`attempt ${s}`, async world => {
        const alive = new Set(world.processes.map(({ identity }) => identity.pid))
        const isBusy = world.place
          .read()
          .some(run => run.source === s && isLive(run) && alive.has(run.owner.pid))
        const begun = await world.outside.begin('manual', s)
        if ('run' in begun === isBusy)
          throw new Error(`${s} ${isBusy ? 'runs twice' : 'is blocked by the dead'}`)
        if ('run' in begun) await world.outside.end(begun.run.id, { status: 'completed' })
      }),
  ),
  runAt.map(
    at =>
      new Command(`cancel ${at}`, world =>
        world.outside.end(idOf(world, at), { status: 'cancelled', error: 'by somebody' }),
      ),
  ),
  runAt.map(at => new Command(`stale start ${at}`, world => world.outside.start(idOf(world, at)))),
  runAt.map(
    at =>
      new Command(`stale end ${at}`, world => world.outside.end(idOf(world, at), { status: 'completed' })),
  ),
]

/** A ledger that is nearly full has something to lose, the oldest above all: that one still runs. */
function past(count: number): Run[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `r-${at + 1}`,
    trigger: 'schedule',
    source: at === 0 ? LONG : (SOURCES[at % SOURCES.length] ?? ''),
    owner: { pid: 1, startTime: '1', bootId: '', host: 'here' },
    status: at === 0 ? 'running' : 'completed',
    createdAt: '2026-04-01T00:00:00.000Z',
    startedAt: '2026-04-01T00:00:00.000Z',
    endedAt: at === 0 ? null : '2026-04-01T00:00:01.000Z',
    error: null,
  }))
}

function inMemory(runs: readonly Run[]): RunPlace {
  let kept = runs
  return {
    read: () => kept,
    async change(decide) {
      const { runs, result } = decide(kept)
      kept = runs
      return result
    },
  }
}

async function play(place: RunPlace, history: Iterable<fc.AsyncCommand<Model, World>>): Promise<void> {
  const world = new World(place, 3)
  await fc.asyncModelRun(() => ({ model: {}, real: world }), history)
  await world.drain()
  await world.outside.recover()
  // Whatever happened, nothing blocks a source for ever.
  const left = world.place.read().filter(run => isLive(run) && run.source !== LONG)
  const problems = [...world.check(RUNS_KEPT), ...left.map(({ id }) => `${id} lives`)]
  for (const source of SOURCES)
    if (!('run' in (await world.outside.begin('schedule', source)))) problems.push(`${source} is blocked`)
  if (problems.length > 0) throw new Error(problems.join('; '))
}

/** So many histories, each of which may begin with a ledger that is nearly full; the seed of one that breaks a rule is told. */
export function playHistories(numRuns: number, seed?: number): Promise<void> {
  return fc.assert(
    fc.asyncProperty(
      fc.commands(commands, { maxCommands: 20, size: '+1' }),
      fc.constantFrom(0, 0, RUNS_KEPT - 2, RUNS_KEPT),
      (history, before) => play(inMemory(past(before)), history),
    ),
    { numRuns, ...(seed !== undefined && { seed }) },
  )
}

/** The same where runs are really kept. */
export function playHistoriesIn(place: () => RunPlace, numRuns: number): Promise<void> {
  return fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 15, size: '+1' }), history =>
      play(place(), history),
    ),
    { numRuns },
  )
}
