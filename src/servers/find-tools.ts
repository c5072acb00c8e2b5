/** Which tools a search means: a word in a name says more than one in a hint, and that more than one in a description. */
import { queryTerms } from '../search/index.ts'
import type { OfferedTool } from './offered-tool.ts'

const IN_NAME = 6
/** The server's name is part of the name of each of its tools. */
const IN_SERVER = 2
const IN_HINT = 3
const IN_DESCRIPTION = 1
/** A part of an identifier, beside the whole. */
const PART = 0.5

type Findable = Pick<OfferedTool, 'name' | 'remote' | 'server' | 'hint' | 'description'>

interface Words {
  name: ReadonlySet<string>
  server: ReadonlySet<string>
  hint: ReadonlySet<string>
  description: ReadonlySet<string>
}

/** The best first; those that are named come before those that are described. */
export function findTools<T extends Findable>(tools: readonly T[], query: string, most: number): T[] {
  const named = tools.filter(({ name }) => query.split(/[\s,]+/).includes(name))
  const words = tools.map(wordsOf)
  const terms = queryTerms(query)
  const meant = terms.some(({ stop }) => !stop) ? terms.filter(({ stop }) => !stop) : terms
  const scores = new Map(tools.map(tool => [tool, 0]))
  for (const { term, forms, partOf } of meant) {
    const wanted = [term, ...forms.map(form => form.term)]
    const weights = words.map(each => weightIn(each, wanted))
    const mentioning = weights.filter(weight => weight > 0).length
    const rarity = Math.log(1 + tools.length / (mentioning || 1)) * (partOf === undefined ? 1 : PART)
    tools.forEach((tool, at) => {
      scores.set(tool, (scores.get(tool) ?? 0) + rarity * (weights[at] ?? 0))
    })
  }
  const described = tools
    .filter(tool => (scores.get(tool) ?? 0) > 0 && !named.includes(tool))
    .sort((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || (a.name < b.name ? -1 : 1))
  return [...named, ...described].slice(0, most)
}

function weightIn({ name, server, hint, description }: Words, wanted: readonly string[]): number {
  const has = (words: ReadonlySet<string>) => wanted.some(term => words.has(term))
  return (
    (has(name) ? IN_NAME : 0) +
    (has(server) ? IN_SERVER : 0) +
    (has(hint) ? IN_HINT : 0) +
    (has(description) ? IN_DESCRIPTION : 0)
  )
}

function wordsOf({ remote, server, hint, description }: Findable): Words {
  return {
    name: termsOf(remote.replaceAll('_', ' ')),
    server: termsOf(server),
    hint: termsOf(hint),
    description: termsOf(description),
  }
}

function termsOf(text: string): ReadonlySet<string> {
  return new Set(queryTerms(text).map(({ term }) => term))
}
