import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Node, Tree } from 'web-tree-sitter'
import { ReverieError } from '../../../store/index.ts'

export type { Node } from 'web-tree-sitter'

/** Reads the source of a shell script as a tree; the tree is gone when `use` returns. */
export type ParseShell = <T>(source: string, use: (root: Node) => T) => T

/** No command can be judged with it any more. */
export class ParserBroken extends ReverieError {}

/** Longer than any command that a person could judge at a glance; parsing stays well below a millisecond per KB. */
export const LONGEST_COMMAND = 10_000

/**
 * One for the whole process, because WebAssembly never gives back what a grammar takes: after some thousand of them
 * there is no room for another.
 */
let loaded: Promise<ParseShell> | undefined

/** The grammar is 1.4 MB of WebAssembly and takes 40 ms to load: only when the first command is to be judged. */
export function loadShellParser(): Promise<ParseShell> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<ParseShell> {
  const [{ Parser, Language }, grammar] = await Promise.all([
    import('web-tree-sitter'),
    readFile(fileURLToPath(import.meta.resolve('tree-sitter-bash/tree-sitter-bash.wasm'))),
  ])
  await Parser.init()
  const parser = new Parser()
  parser.setLanguage(await Language.load(grammar))
  let broken = false
  return (source, use) => {
    if (broken) throw new ParserBroken('The shell parser has failed before.')
    let tree: Tree | null
    try {
      parser.reset()
      tree = parser.parse(source)
    } catch (cause) {
      // What is left in its memory is not to be trusted.
      broken = true
      throw new ParserBroken('The shell parser has failed.', { cause })
    }
    if (!tree) throw new ParserBroken('The shell parser gave no tree.')
    try {
      return use(tree.rootNode)
    } finally {
      tree.delete()
    }
  }
}
