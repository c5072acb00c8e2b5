/** What the model is told of skills: as much as a small share of its window holds, the most used first. */
import { relative } from 'node:path'
import type { ListedSkill, Skills } from '../skills/index.ts'
import { inFence } from './fence.ts'
import type { PromptRoom } from './limits.ts'
import type { Section } from './prompt-section.ts'
import { loadPrompt } from './prompts.ts'
import { estimateText } from './tokens.ts'

export interface SkillsSectionOptions {
  skills: Skills
  project: { root: string }
  /** Tokens of the list, and of those that are always shown in full. */
  room(): Pick<PromptRoom, 'skillList' | 'skillsInFull'>
  /** Whether the model has the tool that loads them. */
  canLoad(): boolean
}

/** Characters of one entry (4-agent.md). */
const LONGEST_ENTRY = 250

/** Looked for with every turn, which costs a look at each file's date; the text changes when a skill does. */
export function skillsSection(options: SkillsSectionOptions): Section {
  let text = ''
  return {
    name: 'skills',
    side: 'stable',
    async dependsOn() {
      text = await skillsText(options)
      return text
    },
    make: async () => text,
  }
}

async function skillsText(options: SkillsSectionOptions): Promise<string> {
  const { skills, project, room, canLoad } = options
  const { skillList, skillsInFull } = room()
  const told = skills.find().skills.filter(isTold)
  const full = shownInFull(told, skills, skillsInFull)
  const listed = told.filter(skill => !full.has(skill.name))
  const list = canLoad() ? skillsList(listed, project.root, skillList) : ''
  const shown = [...full].map(([name, body]) => inFence('skill', { name }, body))
  if (list === '' && shown.length === 0) return ''
  return [await loadPrompt('skills'), ...(list === '' ? [] : [inFence('skills', {}, list)]), ...shown].join(
    '\n\n',
  )
}

/** Those that wait for a file are told of when it is touched. */
function isTold({ status, onlyForPeople, paths }: ListedSkill): boolean {
  return (status === 'ready' || status === 'unavailable') && !onlyForPeople && paths.length === 0
}

/** A project's words stand nowhere unasked but in the list: in full they come when they are loaded. */
function shownInFull(told: readonly ListedSkill[], skills: Skills, tokens: number): Map<string, string> {
  const full = new Map<string, string>()
  let left = tokens
  for (const { name, always, source, status } of told.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!always || source === 'project' || status !== 'ready') continue
    const { body } = skills.load(name)
    const cost = estimateText(body)
    if (cost > left) continue
    left -= cost
    full.set(name, body)
  }
  return full
}

/** All by name, and as many as fit by what they are for; what cannot be used comes last, with the reason. */
export function skillsList(skills: readonly ListedSkill[], root: string, tokens: number): string {
  const ordered = [...skills].toSorted((a, b) => Number(a.status !== 'ready') - Number(b.status !== 'ready'))
  const entries = ordered.map(skill => {
    const line = entryOf(skill, root)
    return { ...skill, line, cost: estimateText(line), bare: estimateText(`${skill.name}, `) }
  })
  let left = tokens - entries.reduce((sum, { bare }) => sum + bare, 0)
  const lines: string[] = []
  const names: string[] = []
  for (const { name, line, cost, bare } of entries) {
    if (cost - bare <= left) {
      left -= cost - bare
      lines.push(line)
    } else names.push(name)
  }
  return [...lines, ...namesOnly(names, tokens)].join('\n')
}

function namesOnly(names: readonly string[], tokens: number): string[] {
  if (names.length === 0) return []
  const kept: string[] = []
  let left = tokens
  for (const name of names) {
    left -= estimateText(`${name}, `)
    if (left < 0) break
    kept.push(name)
  }
  const more = names.length - kept.length
  const rest =
    more === 0
      ? ''
      : `${kept.length > 0 ? ' and ' : ''}${more} more, which \`skill\` lists when called without a name`
  return [`Also: ${kept.join(', ')}${rest}`]
}

function entryOf({ name, description, source, path, status, reason }: ListedSkill, root: string): string {
  const from =
    source === 'built-in'
      ? ''
      : source === 'owner'
        ? ` (${path})`
        : ` (this project's ${relative(root, path)})`
  const not = status === 'ready' ? '' : ` [not available: ${reason}]`
  const head = `- ${name}: `
  const room = Math.max(0, LONGEST_ENTRY - head.length - from.length - not.length)
  const said =
    description.length > room ? `${description.slice(0, Math.max(0, room - 1)).toWellFormed()}…` : description
  return `${head}${said}${not}${from}`.slice(0, LONGEST_ENTRY).toWellFormed()
}
