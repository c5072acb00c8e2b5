import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Node, Parser } from 'web-tree-sitter'

export type { Node } from 'web-tree-sitter'

/** Reads the source of a shell script as a tree; the tree is gone when `use` returns. */
export type ParseShell = <T>(source: string, use: (root: Node) => T) => T

/** Longer than any command that a person could judge at a glance; parsing stays well below a millisecond per KB. */
export const LONGEST_COMMAND = 10_000

/** The grammar is 1.4 MB of WebAssembly and takes 40 ms to load: only when the first command is to be judged. */
export async function loadShellParser(): Promise<ParseShell> {
  const [{ Parser, Language }, grammar] = await Promise.all([
    import('web-tree-sitter'),
    readFile(fileURLToPath(import.meta.resolve('tree-sitter-bash/tree-sitter-bash.wasm'))),
  ])
  await Parser.init()
  const parser = new Parser()
  parser.setLanguage(await Language.load(grammar))
  return (source, use) => withTree(parser, source, use)
}

function withTree<T>(parser: Parser, source: string, use: (root: Node) => T): T {
  parser.reset()
  const tree = parser.parse(source)
  if (!tree) throw new Error('the shell parser gave no tree')
  try {
    return use(tree.rootNode)
  } finally {
    tree.delete()
  }
}
