/** A settings file in JSON, also with comments and trailing commas: read for its values, and for where each stands. */
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { CannotEdit } from '../cannot-edit.ts'

const BOM = '\ufeff'
/** As they are meant, whatever the dialect of the program is: what it does not take, it had not taken before either. */
const LENIENT = { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true }

export type JsonNode = Node
/** From the root: names of members, and places in arrays. */
export type JsonPath = ReadonlyArray<string | number>

export interface JsonText {
  /** Without the mark that some editors put before everything. */
  text: string
  mark: string
  /** Undefined when there is nothing but space and comments. */
  root: JsonNode | undefined
}

/** Throws CannotEdit, with the line, when it is no JSON. */
export function readJsonText(whole: string): JsonText {
  const mark = whole.startsWith(BOM) ? BOM : ''
  const text = whole.slice(mark.length)
  const errors: ParseError[] = []
  const root = parseTree(text, errors, LENIENT)
  const [first] = errors
  if (first) {
    const line = text.slice(0, first.offset).split('\n').length
    throw new CannotEdit(`it is not valid JSON (line ${line}: ${inWords(first)})`)
  }
  if (root && root.type !== 'object') throw new CannotEdit('it holds no object')
  return { text, mark, root }
}

/** `CommaExpected` is said as "comma expected". */
function inWords({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
}

/** What a program reads there; of a name that stands twice, the last counts. */
export function nodeAt(root: JsonNode | undefined, path: JsonPath): JsonNode | undefined {
  let node = root
  for (const step of path) {
    if (typeof step === 'number') node = node?.type === 'array' ? node.children?.[step] : undefined
    else node = node?.type === 'object' ? memberOf(node, step)?.children?.[1] : undefined
    if (!node) return undefined
  }
  return node
}

/** A member of an object with its name. */
export function memberOf(object: JsonNode, name: string): JsonNode | undefined {
  return object.children?.findLast(({ children }) => children?.[0]?.value === name)
}

export function valueAt(node: JsonNode | undefined): unknown {
  // Its objects have no prototype, and are then never the same as others.
  return node && structuredClone(getNodeValue(node))
}

/** The values of a whole file. */
export function jsonValue(whole: string): object {
  return (valueAt(readJsonText(whole).root) as object | undefined) ?? {}
}
