/** The queue's rules, in every history that a generator can think of (5-work.md, "The queue"). */
import { deepStrictEqual } from 'node:assert'
import fc from 'fast-check'
import { Attention, type Claim } from './attention.ts'
import type { Priority } from './queue.ts'

const AGENTS = ['main', 'ag_1', 'ag_2'] as const
type Agent = (typeof AGENTS)[number]

/** What is known of an item without looking into the queue. */
interface Known {
  id: string
  name: number
  to: Agent
  priority: Priority
  state: 'waiting' | 'claimed' | 'heard' | 'cancelled'
  claim?: number
}

/** What happened so far, in the plainest words: no queue, only a list with states. */
interface Model {
  items: Known[]
  claims: { to: Agent; open: boolean }[]
}

interface Real {
  attention: Attention<number>
  claims: Claim<number>[]
  told: Record<Agent, number[]>
}

const RANK: Record<Priority, number> = { now: 0, next: 1, later: 2 }

/** By priority, then by arrival: `name` counts up. */
function names(items: readonly Known[]): number[] {
  return items
    .toSorted((a, b) => RANK[a.priority] - RANK[b.priority] || a.name - b.name)
    .map(({ name }) => name)
}

function waiting({ items }: Model, to: Agent): Known[] {
  return items.filter(item => item.to === to && item.state === 'waiting')
}

type Step = fc.Command<Model, Real>

class Add implements Step {
  to: Agent
  priority: Priority
  constructor(to: Agent, priority: Priority) {
    this.to = to
    this.priority = priority
  }
  check = () => true
  run(model: Model, { attention, told }: Real) {
    const name = model.items.length
    const id = attention.add({ to: this.to, priority: this.priority, content: name })
    model.items.push({ id, name, to: this.to, priority: this.priority, state: 'waiting' })
    deepStrictEqual(told[this.to].at(-1), name)
  }
  toString = () => `add(${this.to}, ${this.priority})`
}

class Cancel implements Step {
  which: number
  constructor(which: number) {
    this.which = which
  }
  check = ({ items }: Readonly<Model>) => items.length > 0
  run(model: Model, { attention }: Real) {
    const item = model.items[this.which % model.items.length] as Known
    const canBe = item.state === 'waiting' || item.state === 'claimed'
    deepStrictEqual(attention.cancel(item.id), canBe)
    if (canBe) item.state = 'cancelled'
  }
  toString = () => `cancel(${this.which})`
}

class ClaimAll implements Step {
  to: Agent
  constructor(to: Agent) {
    this.to = to
  }
  check = () => true
  run(model: Model, { attention, claims }: Real) {
    const found = waiting(model, this.to)
    deepStrictEqual(
      attention.waiting(this.to).map(({ content }) => content),
      names(found),
    )
    claims.push(attention.claim(this.to))
    for (const item of found) Object.assign(item, { state: 'claimed', claim: model.claims.length })
    model.claims.push({ to: this.to, open: true })
    deepStrictEqual(attention.waiting(this.to), [])
  }
  toString = () => `claim(${this.to})`
}

/** Also of a claim that has begun or was released before: it has nothing left. */
class EndClaim implements Step {
  which: number
  how: 'begin' | 'release'
  constructor(which: number, how: 'begin' | 'release') {
    this.which = which
    this.how = how
  }
  check = ({ claims }: Readonly<Model>) => claims.length > 0
  run(model: Model, { claims }: Real) {
    const at = this.which % model.claims.length
    const mine = model.items.filter(({ claim, state }) => claim === at && state === 'claimed')
    const claim = claims[at] as Claim<number>
    if (this.how === 'release') claim.release()
    else
      deepStrictEqual(
        claim.begin().map(({ content }) => content),
        names(mine),
      )
    for (const item of mine) item.state = this.how === 'begin' ? 'heard' : 'waiting'
    for (const item of mine) delete item.claim
  }
  toString = () => `${this.how}(${this.which})`
}

class Take implements Step {
  to: Agent
  constructor(to: Agent) {
    this.to = to
  }
  check = () => true
  run(model: Model, { attention }: Real) {
    const found = waiting(model, this.to)
    deepStrictEqual(attention.take(this.to), names(found))
    for (const item of found) item.state = 'heard'
  }
  toString = () => `take(${this.to})`
}

const agent = fc.constantFrom(...AGENTS)
const which = fc.nat(50)
const step = [
  fc
    .tuple(agent, fc.constantFrom('now' as const, 'next' as const, 'later' as const))
    .map(([to, p]) => new Add(to, p)),
  fc.tuple(agent, fc.constantFrom('next' as const, 'later' as const)).map(([to, p]) => new Add(to, p)),
  which.map(at => new Cancel(at)),
  agent.map(to => new ClaimAll(to)),
  fc
    .tuple(which, fc.constantFrom('begin' as const, 'release' as const))
    .map(([at, how]) => new EndClaim(at, how)),
  agent.map(to => new Take(to)),
]

/** Returns how many items were cancelled while somebody was about to hear them: what the histories are for. */
export function playQueueHistories(numRuns: number, seed?: number): number {
  let cancelledWhileClaimed = 0
  fc.assert(
    fc.property(fc.commands(step, { maxCommands: 30 }), steps => {
      const attention = new Attention<number>()
      const told = { main: [], ag_1: [], ag_2: [] } as Record<Agent, number[]>
      for (const to of AGENTS) attention.listen(to, ({ content }) => told[to].push(content))
      const model: Model = { items: [], claims: [] }
      const real: Real = { attention, claims: [], told }
      fc.modelRun(() => ({ model, real }), steps)
      cancelledWhileClaimed += model.items.filter(
        ({ state, claim }) => state === 'cancelled' && claim !== undefined,
      ).length
      // What is left is heard now, and then nothing is.
      for (const claim of real.claims) claim.release()
      for (const to of AGENTS) {
        const left = model.items.filter(item => item.to === to && ['waiting', 'claimed'].includes(item.state))
        deepStrictEqual(attention.take(to), names(left))
        deepStrictEqual(attention.take(to), [])
      }
    }),
    { numRuns, ...(seed !== undefined && { seed }) },
  )
  return cancelledWhileClaimed
}
