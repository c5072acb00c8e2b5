/** A shell script as the simple commands that it may run, whatever way it goes. */
import type { Act, Script, Use } from './act.ts'
import { disguise } from './characters.ts'
import { describe, isHarmlessVariable } from './describe.ts'
import { TEST_OPERATORS } from './read-only.ts'
import { heredocProblem, tilingProblem } from './tiling.ts'
import { LONGEST_COMMAND, type Node, ParserBroken, type ParseShell } from './tree.ts'
import { children, readWord, unknownWord, WORD_TYPES, type Word } from './word.ts'

/** How deep a script may be nested, and how many scripts within scripts are read. */
const DEEPEST = 40
const MOST_SCRIPTS = 4
/** How many directories a script may be in at one place. */
const MOST_PLACES = 16
const MOST_ACTS = 200

export interface Surroundings {
  parse: ParseShell
  home: string
}

export function readScript(source: string, { parse, home }: Surroundings): Script {
  const reader = new ScriptReader(parse, home)
  reader.read(source, 0)
  return { acts: reader.acts, ...(reader.unclear !== undefined && { unclear: reader.unclear }) }
}

/** What only holds other statements. */
const GROUPS: ReadonlySet<string> = new Set([
  ...['program', 'list', 'pipeline', 'subshell', 'compound_statement', 'negated_command', 'do_group'],
  ...['if_statement', 'elif_clause', 'else_clause', 'while_statement', 'case_statement'],
])

/**
 * What else may stand between brackets. For `[`, and where `[[` is no word of the shell, what joins commands and redirects
 * does so here, too: `[ -f x || make ]` runs `make ]`.
 */
const TEST_TOKENS: ReadonlySet<string> = new Set(['[', ']', '[[', ']]', '!', '=', '==', '!='])

class ScriptReader {
  readonly acts: Act[] = []
  unclear: string | undefined
  #parse: ParseShell
  #home: string
  #places: ReadonlyArray<readonly string[]> = [[]]
  /** Inside of what may run more than once, or in another order than it is written. */
  #repeated = 0
  #scripts = 0
  #source = ''

  constructor(parse: ParseShell, home: string) {
    this.#parse = parse
    this.#home = home
  }

  read(source: string, nested: number): void {
    if (source.length > LONGEST_COMMAND) {
      this.#doubt('it is too long to be judged')
      return
    }
    const disguised = disguise(source)
    if (disguised) {
      this.#doubt(disguised)
      return
    }
    if (nested > MOST_SCRIPTS) {
      this.#doubt('it holds scripts within scripts')
      return
    }
    const outer = this.#source
    this.#source = source
    this.#scripts = nested
    try {
      this.#parse(source, root => {
        if (root.hasError) this.#doubt('it cannot be parsed')
        const problem = tilingProblem(root, source)
        if (problem) this.#doubt(problem)
        this.#statement(root, 0)
      })
    } catch (error) {
      if (!(error instanceof ParserBroken)) throw error
      this.#doubt('the parser for shell commands has failed; start Reverie again')
    }
    this.#source = outer
  }

  #doubt(why: string): void {
    this.unclear ??= why
  }

  #statement(node: Node, depth: number): void {
    if (depth > DEEPEST) {
      this.#doubt('it is nested too deeply')
      return
    }
    if (this.acts.length > MOST_ACTS) {
      this.#doubt('it is made of too many commands')
      return
    }
    const { type } = node
    if (WORD_TYPES.has(type)) this.#word(node, depth)
    else if (type === 'command') this.#command(node, depth, [])
    else if (type === 'redirected_statement') this.#redirected(node, depth)
    else if (type === 'test_command') this.#test(node)
    else if (type === 'variable_assignment') this.#assignment(node, depth, false)
    else if (type === 'variable_assignments')
      for (const child of children(node)) this.#assignment(child, depth, false)
    else if (type === 'for_statement') this.#loop(node, depth)
    else if (type === 'while_statement') this.#within(node, depth)
    else if (type === 'case_item') this.#caseItem(node, depth)
    else if (type === 'function_definition') {
      this.#doubt('it defines a function')
      this.#within(node, depth, child => child.type !== 'word')
    } else if (type === 'compound_statement' && node.firstChild?.type !== '{') this.#doubt('it calculates')
    else if (GROUPS.has(type)) for (const child of children(node)) this.#statement(child, depth + 1)
    else if (type !== 'comment') this.#notJudged(node)
  }

  /** Its patterns are compared with, not run. */
  #caseItem(node: Node, depth: number): void {
    for (const child of children(node))
      if (child.type !== 'extglob_pattern') this.#statement(child, depth + 1)
  }

  #notJudged({ type }: Node): void {
    this.#doubt(`it contains what is not judged (${type.replaceAll('_', ' ')})`)
  }

  /** In what is repeated a change of directory adds up, and what comes first may run after what comes last. */
  #within(node: Node, depth: number, counts: (child: Node) => boolean = () => true): void {
    this.#repeated++
    for (const child of children(node)) if (counts(child)) this.#statement(child, depth + 1)
    this.#repeated--
  }

  #loop(node: Node, depth: number): void {
    const variable = node.childForFieldName('variable')
    if (!variable || !isOwnVariable(variable.text)) this.#doubt(`it sets ${variable?.text ?? 'a variable'}`)
    this.#within(node, depth, child => child.type !== 'variable_name')
  }

  #redirected(node: Node, depth: number): void {
    const body = node.childForFieldName('body')
    const extra: Word[] = []
    for (const child of children(node)) {
      if (child.type === 'file_redirect') extra.push(...this.#fileRedirect(child, depth))
      else if (child.type === 'heredoc_redirect') extra.push(...this.#heredoc(child, depth))
      else if (child.type === 'herestring_redirect') this.#herestring(child, depth)
      else if (child.id !== body?.id) this.#doubt('it redirects in a way that is not judged')
    }
    if (body?.type === 'command') {
      this.#command(body, depth, extra)
      return
    }
    if (extra.length > 0) this.#doubt('it cannot be read with certainty')
    if (body) this.#statement(body, depth + 1)
  }

  /** For the tree all words that follow belong to the redirection; for a shell only the first does. */
  #fileRedirect(node: Node, depth: number): Word[] {
    const operator = node.children.find(child => child && !child.isNamed)?.type ?? ''
    const from = children(node).find(({ type }) => type === 'file_descriptor')?.text
    const [to, ...extra] = children(node)
      .filter(({ type }) => type !== 'file_descriptor')
      .map(child => this.#word(child, depth))
    const access = operator.startsWith('<') ? 'read' : 'write'
    const duplicates = to !== undefined && /^[<>]&$/.test(operator) && /^\d+$/.test(to.text)
    if (!to || operator.endsWith('-') || !isPlainDescriptor(access, from, duplicates ? to.text : undefined))
      this.#doubt('it redirects in a way that is not judged')
    else if (!duplicates) this.#redirect(access, operator, to)
    return extra
  }

  #redirect(access: Use['access'], operator: string, to: Word): void {
    const known = to.literal || to.glob
    this.acts.push({
      words: [],
      text: `${operator} ${to.text}`,
      effect: known ? access : 'unknown',
      uses: known ? [{ access, path: to.text, glob: to.glob }] : [],
      ...(access === 'write' && { why: `it writes to ${to.text}` }),
      places: this.#places,
    })
  }

  #heredoc(node: Node, depth: number): Word[] {
    const problem = heredocProblem(node, this.#source)
    if (problem) this.#doubt(problem)
    const extra: Word[] = []
    for (const child of children(node)) {
      if (child.type === 'heredoc_body') {
        this.#substitutions(child, depth)
        if (holdsVariable(child)) this.#doubt(VARIABLE_AS_INPUT)
      } else if (child.type === 'file_redirect') extra.push(...this.#fileRedirect(child, depth))
      else if (WORD_TYPES.has(child.type)) extra.push(this.#word(child, depth))
      else if (!child.type.startsWith('heredoc_')) this.#statement(child, depth + 1)
    }
    return extra
  }

  #herestring(node: Node, depth: number): void {
    for (const child of children(node)) {
      if (child.type === 'file_descriptor') continue
      this.#word(child, depth)
      if (holdsVariable(child)) this.#doubt(VARIABLE_AS_INPUT)
    }
  }

  #command(node: Node, depth: number, extra: readonly Word[]): void {
    const words: Word[] = []
    let last = -1
    for (const child of children(node)) {
      if (child.type === 'variable_assignment') this.#assignment(child, depth, true)
      else if (child.type === 'file_redirect') words.push(...this.#fileRedirect(child, depth))
      else if (child.type === 'herestring_redirect') this.#herestring(child, depth)
      else if (child.type === 'command_name') {
        const [inner] = children(child)
        if (inner) words.push(this.#word(inner, depth))
        if (words[0] && !words[0].literal) this.#doubt('the name of a command is only known when it runs')
      } else if (WORD_TYPES.has(child.type)) words.push(this.#word(child, depth))
      else this.#notJudged(child)
      // Two words of the tree with nothing between them are one for a shell.
      if (child.startIndex === last) this.#doubt('it cannot be read with certainty')
      last = child.endIndex
    }
    this.#simple([...words, ...extra], depth)
  }

  #simple(words: Word[], depth: number): void {
    if (words.length === 0) return
    if (depth > DEEPEST) {
      this.#doubt('it is nested too deeply')
      return
    }
    const { effect, uses, why, git, cd, inner = [], scripts = [], transparent } = describe(words)
    if (!transparent)
      this.acts.push({
        words,
        text: words.map(({ text }) => text).join(' '),
        effect,
        uses,
        ...(why !== undefined && { why }),
        ...(git && { git }),
        places: this.#places,
      })
    if (cd !== undefined) this.#changeDirectory(cd)
    for (const run of inner) this.#simple(run, depth + 1)
    const nested = this.#scripts
    for (const script of scripts) {
      this.read(script, nested + 1)
      this.#scripts = nested
    }
  }

  #changeDirectory(to: string): void {
    if (this.#repeated > 0) {
      this.#doubt('it changes the directory again and again')
      return
    }
    this.#places = [...this.#places, ...this.#places.map(place => [...place, to])]
    if (this.#places.length > MOST_PLACES) this.#doubt('it changes the directory too often')
  }

  #assignment(node: Node, depth: number, exported: boolean): void {
    const name = node.childForFieldName('name')
    const value = node.childForFieldName('value')
    if (name?.type !== 'variable_name' || value?.type === 'array') this.#doubt('it sets a list')
    const word = value && WORD_TYPES.has(value.type) ? this.#word(value, depth) : undefined
    if (value && !word) this.#substitutions(value, depth)
    const variable = name?.text ?? ''
    const known = !value || word?.literal === true
    if (known && isHarmlessVariable(variable, word?.text ?? '')) return
    if (!exported && isOwnVariable(variable)) return
    const text = node.text
    this.acts.push({
      words: [unknownWord(text)],
      text,
      effect: 'unknown',
      uses: [],
      why: `it sets ${variable}, which may change what commands do`,
      places: this.#places,
    })
  }

  #test(node: Node): void {
    for (const child of node.children) {
      if (!child) continue
      if (!child.isNamed && !TEST_TOKENS.has(child.type))
        this.#doubt(`it holds what is no test (${child.text})`)
      if (child.type === 'test_operator') {
        if (!TEST_OPERATORS.has(child.text)) this.#doubt(`it evaluates (${child.text})`)
      } else if (WORD_TYPES.has(child.type)) {
        const word = this.#word(child, 0)
        if (!word.literal || /[[(]/.test(word.text))
          this.#doubt('it compares what is only known when it runs')
      } else if (/^(unary|binary)_expression$/.test(child.type)) this.#test(child)
      else if (child.isNamed) this.#notJudged(child)
    }
  }

  #word(node: Node, depth: number): Word {
    if (!WORD_TYPES.has(node.type)) {
      this.#notJudged(node)
      return unknownWord(node.text)
    }
    this.#substitutions(node, depth)
    return readWord(node, this.#home)
  }

  /** Commands within words. What an expansion calculates may run commands that stand in no tree. */
  #substitutions(node: Node, depth: number): void {
    if (depth > DEEPEST) {
      this.#doubt('it is nested too deeply')
      return
    }
    if (node.type === 'command_substitution' || node.type === 'process_substitution') {
      for (const child of children(node)) {
        if (child.type === 'file_redirect') this.#fileRedirect(child, depth + 1)
        else this.#statement(child, depth + 1)
      }
      return
    }
    if (node.type === 'arithmetic_expansion') this.#doubt('it calculates')
    if (node.type === 'expansion' && !/^\$\{\w+\}$/.test(node.text))
      this.#doubt('it expands variables in a way that may run commands')
    for (const child of children(node)) this.#substitutions(child, depth + 1)
  }
}

/**
 * A file that is open for reading can be written again by the name of its descriptor (`< FILE > /dev/stdin`): so it is
 * only ever the input, and the outputs only ever lead to each other.
 */
function isPlainDescriptor(access: Use['access'], from: string | undefined, to: string | undefined): boolean {
  if (to !== undefined) return /^[12]$/.test(to) && /^[12]$/.test(from ?? (access === 'write' ? '1' : '0'))
  return access === 'write' || from === undefined || from === '0'
}

const VARIABLE_AS_INPUT = 'what a variable holds, which may be a secret, is its input'

/** Outside of the commands that stand in it, whose words are looked at by themselves. */
function holdsVariable(node: Node): boolean {
  if (/^(simple_)?expansion$/.test(node.type)) return true
  if (/^(command|process)_substitution$/.test(node.type)) return false
  return children(node).some(holdsVariable)
}

/** A variable of the script's own. Others may mean something to the shell or to a program (`PATH`, `npm_config_…`). */
function isOwnVariable(name: string): boolean {
  return (
    /^[a-z]{1,16}\d*$/.test(name) && !/^(path|cdpath|fpath|manpath|prompt|status|argv|histchars)$/.test(name)
  )
}
