/** What is known of the variables of a script. */
import type { Node } from './tree.ts'
import { children, type Pattern, type Word } from './word.ts'

/** A variable of the script's own. Others may mean something to the shell or to a program (`PATH`, `npm_config_…`). */
export function isOwnVariable(name: string): boolean {
  return (
    /^[a-z]{1,16}\d*$/.test(name) && !/^(path|cdpath|fpath|manpath|prompt|status|argv|histchars)$/.test(name)
  )
}

/** Undefined for a variable that is set in between, too, and for values that are only known when it runs. */
export function valuesOf(
  name: string,
  words: ReadonlyArray<Word | undefined>,
  body: Node,
): readonly Pattern[] | undefined {
  if (words.length === 0 || new RegExp(`\\b${name}\\b\\s*(\\+?=|in\\b)`).test(body.text)) return undefined
  const known = words.filter(word => word !== undefined && (word.literal || word.glob) && !word.below)
  if (known.length < words.length) return undefined
  const values = known.flatMap(word => word?.any ?? { text: word?.text ?? '', glob: word?.glob ?? false })
  return values.length > 0 ? values : undefined
}

/** Outside of the commands that stand in it, whose words are looked at by themselves. */
export function holdsVariable(node: Node): boolean {
  if (/^(simple_)?expansion$/.test(node.type)) return true
  if (/^(command|process)_substitution$/.test(node.type)) return false
  return children(node).some(holdsVariable)
}
