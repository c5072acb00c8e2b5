/** A skill: instructions for one kind of work, in a `SKILL.md` with a directory of its own. Reading one is pure. */
import { type Fields, readFrontmatter } from '../store/index.ts'

/** Whose it is: shipped with Reverie, the owner's, or that of whoever wrote the project's files. */
export type SkillSource = 'built-in' | 'owner' | 'project'

/** What has to be there for a skill to be of use. */
export interface Requirements {
  /** Found on the PATH. */
  programs: readonly string[]
  /** Set in the environment. */
  variables: readonly string[]
  /** As Node names them; any unless told. */
  systems: readonly string[]
}

/** What the head of a file says. */
export interface SkillHead {
  description: string
  /** Shown in full in every conversation. */
  always: boolean
  /** Told of only when a file that matches is touched. */
  paths: readonly string[]
  requires: Requirements
  /** False for one that was proposed and has not been accepted. */
  accepted: boolean
  /** Its author keeps it from models: only a person calls for it. */
  onlyForPeople: boolean
}

export interface Skill extends SkillHead {
  /** That of its directory. */
  name: string
  source: SkillSource
  /** Of its SKILL.md. */
  path: string
}

/** As other programs name them, so that a skill can be taken from one to another. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/
const LONGEST_DESCRIPTION = 1024
const MOST_LISTED = 50

export function isSkillName(name: string): boolean {
  return NAME.test(name)
}

/** Takes what other agents write as well: `bins` and `env` for programs and variables, also within `metadata`. */
export function readSkill(
  text: string,
): { head: SkillHead; body: string; remarks: string[] } | { problem: string } {
  const read = readFrontmatter(text.replaceAll('\r\n', '\n'))
  if ('problem' in read) return read
  const { fields, body } = read
  if (body === '') return { problem: 'nothing follows its frontmatter: it says nothing of how to do it' }
  const description = descriptionIn(fields)
  if (description === '') return { problem: 'it needs a description: what it is for, and when to use it' }
  const paths = listIn(fields, ['paths', 'globs'])
  const odd = paths.filter(path => !isPlainPattern(path))
  const head: SkillHead = {
    description,
    always: isTrue(anyOf(fields, ['always'])),
    paths: paths.filter(isPlainPattern),
    requires: {
      programs: listIn(fields, ['requires', 'requires.programs', 'requires.bins', 'requires.commands']),
      variables: listIn(fields, ['requires.variables', 'requires.env']),
      systems: listIn(fields, ['requires.systems', 'requires.os', 'os']).map(asNodeNamesIt),
    },
    // The program's own word, which others give no meaning.
    accepted: !isFalse(String(fields.get('enabled') ?? '')),
    onlyForPeople: isTrue(anyOf(fields, ['disable-model-invocation'])),
  }
  return { head, body, remarks: odd.map(path => `its pattern ${JSON.stringify(path)} is too elaborate`) }
}

function descriptionIn(fields: Fields): string {
  const said = ['description', 'when_to_use', 'when-to-use'].map(key => fields.get(key))
  const line = said
    .filter(text => typeof text === 'string' && text !== '')
    .join(' ')
    .replaceAll(/[\s\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return line.length > LONGEST_DESCRIPTION ? `${line.slice(0, LONGEST_DESCRIPTION - 1)}…` : line
}

/** Under its own name, or under that of any program in `metadata`. */
function valuesOf(fields: Fields, names: readonly string[]): Array<string | string[]> {
  return [...fields].flatMap(([key, value]) =>
    names.includes(key.replace(/^metadata\.(?:[^.]+\.)?/, '')) ? [value] : [],
  )
}

function anyOf(fields: Fields, names: readonly string[]): string {
  const [first = ''] = valuesOf(fields, names)
  return typeof first === 'string' ? first.trim().toLowerCase() : ''
}

function listIn(fields: Fields, names: readonly string[]): string[] {
  const items = valuesOf(fields, names).flatMap(value =>
    typeof value === 'string' ? value.split(/,(?![^{]*\})/) : value,
  )
  const told = items.map(item => item.trim()).filter(item => item !== '')
  return [...new Set(told)].slice(0, MOST_LISTED)
}

function isTrue(text: string): boolean {
  return /^(?:true|yes|on)$/.test(text)
}

function isFalse(text: string): boolean {
  return /^(?:false|no|off)$/i.test(text)
}

function asNodeNamesIt(system: string): string {
  const name = system.toLowerCase()
  return name === 'macos' ? 'darwin' : name === 'windows' ? 'win32' : name
}

const LONGEST_PATTERN = 200

/** A pattern that takes long to compare is a way to make us slow. */
function isPlainPattern(pattern: string): boolean {
  const segments = pattern.split('/')
  return (
    pattern.length <= LONGEST_PATTERN &&
    !/[()|\\]/.test(pattern) &&
    (pattern.match(/[{[]/g)?.length ?? 0) <= 3 &&
    segments.filter(segment => segment === '**').length <= 3 &&
    segments.every(segment => segment === '**' || (segment.match(/[*?]/g)?.length ?? 0) <= 3)
  )
}
