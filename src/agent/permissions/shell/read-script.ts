/** A shell script as the simple commands that it may run, whatever way it goes. */
import { type Act, type Script, type Use, use } from './act.ts'
import { disguise } from './characters.ts'
import { describe, isHarmlessVariable } from './describe.ts'
import { producedBy } from './produced.ts'
import { TEST_OPERATORS } from './read-only.ts'
import { isPlainDescriptor } from './redirection.ts'
import { heredocProblem, tilingProblem } from './tiling.ts'
import { LONGEST_COMMAND, type Node, ParserBroken, type ParseShell } from './tree.ts'
import { holdsVariable, isOwnVariable, valuesOf } from './variables.ts'
import { children, type Pattern, readWord, unknownWord, WORD_TYPES, type Word } from './word.ts'

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
  /** What the variables of the loops stand for that are being read. */
  #loops: ReadonlyMap<string, readonly Pattern[]> = new Map()
  /** The names of files that the command is given which is read next, and what the last one was. */
  #input: Word | undefined
  #last: readonly Word[] = []
  /** The pipeline that is read next is redirected: for the tree all of it, for a shell its last command. */
  #redirectsLast = false
  /** Where the last statement leaves the shell if it succeeds. */
  #onSuccess: ReadonlyArray<readonly string[]> = [[]]
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
    const loops = this.#loops
    this.#source = source
    // What another script knows of these, it does not know as they are here.
    this.#loops = new Map()
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
    this.#loops = loops
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
    this.#onSuccess = this.#places
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
    else if (type === 'pipeline') this.#pipeline(node, depth)
    else if (type === 'list' && node.children.some(child => child?.type === '&&')) {
      this.#bothOf(node, depth)
      return
    } else if (GROUPS.has(type)) for (const child of children(node)) this.#statement(child, depth + 1)
    else if (type !== 'comment') this.#notJudged(node)
    if (type !== 'command' && type !== 'redirected_statement') this.#onSuccess = this.#places
  }

  /** A command may print names of files for the next. */
  #pipeline(node: Node, depth: number): void {
    const plain = !this.#redirectsLast && node.children.every(child => child?.isNamed || child?.type === '|')
    this.#redirectsLast = false
    let names: Word | undefined
    for (const child of children(node)) {
      this.#last = []
      // What is redirected comes from, or goes, somewhere else.
      const piped = plain && !/[<>]/.test(child.text.replace(/2>\s*\/dev\/null$/, ''))
      this.#input = piped ? names : undefined
      this.#statement(child, depth + 1)
      this.#input = undefined
      const single = child.type === 'command' || child.type === 'redirected_statement'
      names = piped && single ? producedBy(this.#last, names) : undefined
    }
  }

  /** `cd DIRECTORY && …`: what follows only runs there. */
  #bothOf(node: Node, depth: number): void {
    const [first, ...rest] = children(node)
    if (first) this.#statement(first, depth + 1)
    const wherever = this.#places
    this.#places = this.#onSuccess
    for (const child of rest) this.#statement(child, depth + 1)
    const then = this.#onSuccess
    this.#places = distinct([...wherever, ...this.#places])
    this.#onSuccess = then
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
    const body = node.childForFieldName('body')
    const values = children(node).filter(({ id }) => id !== variable?.id && id !== body?.id)
    const words = values.map(value => this.#valueOfLoop(value, depth))
    const outer = this.#loops
    const inner = new Map(outer)
    const known =
      variable && body && node.firstChild?.type === 'for' ? valuesOf(variable.text, words, body) : undefined
    if (variable) inner.delete(variable.text)
    if (variable && known) inner.set(variable.text, known)
    this.#loops = inner
    this.#within(node, depth, child => child.id === body?.id)
    if (!body) this.#doubt('it cannot be read with certainty')
    this.#loops = outer
  }

  #valueOfLoop(node: Node, depth: number): Word | undefined {
    if (WORD_TYPES.has(node.type)) return this.#word(node, depth)
    this.#statement(node, depth + 1)
    return undefined
  }

  #redirected(node: Node, depth: number): void {
    const body = node.childForFieldName('body')
    const extra: Word[] = []
    const then: Node[] = []
    for (const child of children(node)) {
      if (child.type === 'file_redirect') extra.push(...this.#fileRedirect(child, depth))
      else if (child.type === 'heredoc_redirect') extra.push(...this.#heredoc(child, depth, then))
      else if (child.type === 'herestring_redirect') this.#herestring(child, depth)
      else if (child.id !== body?.id) this.#doubt('it redirects in a way that is not judged')
    }
    if (body?.type === 'command') this.#command(body, depth, extra)
    else {
      if (extra.length > 0) this.#doubt('it cannot be read with certainty')
      this.#redirectsLast = body?.type === 'pipeline' && node.text.slice(body.text.length).includes('<')
      if (body) this.#statement(body, depth + 1)
    }
    for (const statement of then) this.#statement(statement, depth + 1)
    if (then.length > 0) this.#onSuccess = this.#places
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
    const known = to.literal || (to.glob && !to.below)
    this.acts.push({
      words: [],
      text: `${operator} ${to.text}`,
      effect: known ? access : 'unknown',
      uses: known ? [use(access, to)] : [],
      ...(access === 'write' && { why: `it writes to ${to.text}` }),
      places: this.#places,
    })
  }

  /** What goes on behind its start (`<<EOF && ls`) runs after the command that it is for: that is put into `then`. */
  #heredoc(node: Node, depth: number, then: Node[]): Word[] {
    const problem = heredocProblem(node, this.#source)
    if (problem) this.#doubt(problem)
    const extra: Word[] = []
    for (const child of children(node)) {
      if (child.type === 'heredoc_body') {
        this.#substitutions(child, depth)
        if (holdsVariable(child)) this.#doubt(VARIABLE_AS_INPUT)
      } else if (child.type === 'file_redirect') extra.push(...this.#fileRedirect(child, depth))
      else if (WORD_TYPES.has(child.type)) extra.push(this.#word(child, depth))
      else if (!child.type.startsWith('heredoc_')) then.push(child)
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
    const input = this.#input
    this.#input = undefined
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
    this.#simple([...words, ...extra], depth, input)
    this.#last = [...words, ...extra]
  }

  #simple(words: Word[], depth: number, input?: Word): void {
    if (words.length === 0) return
    if (depth > DEEPEST) {
      this.#doubt('it is nested too deeply')
      return
    }
    const { effect, uses, why, git, cd, inner = [], scripts = [], transparent } = describe(words, input)
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
    const before = this.#places
    if (cd !== undefined) this.#changeDirectory(cd)
    this.#onSuccess =
      cd !== undefined && words[0]?.text === 'cd' ? before.map(place => [...place, cd]) : this.#places
    for (const run of inner) this.#simple(run, depth + 1)
    const nested = this.#scripts
    for (const script of scripts) {
      this.read(script, nested + 1)
      this.#scripts = nested
    }
    // What another command runs, it may run in a process of its own.
    if (inner.length + scripts.length > 0) this.#onSuccess = this.#places
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
    const names = node.type === 'command_substitution' ? this.#namesFrom(node) : undefined
    if (names) return names
    return readWord(node, this.#home, this.#loops)
  }

  /** `$(git ls-files)`, outside of quotes. */
  #namesFrom(node: Node): Word | undefined {
    const [command, ...more] = children(node)
    if (command?.type !== 'command' || more.length > 0) return undefined
    const parts = children(command).map(part => (part.type === 'command_name' ? part.firstNamedChild : part))
    if (!parts.every(part => part !== null && WORD_TYPES.has(part.type))) return undefined
    return producedBy(parts.map(part => readWord(part as Node, this.#home, this.#loops)))
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

function distinct(places: ReadonlyArray<readonly string[]>): ReadonlyArray<readonly string[]> {
  return [...new Map(places.map(place => [place.join('\0'), place])).values()]
}

const VARIABLE_AS_INPUT = 'what a variable holds, which may be a secret, is its input'
