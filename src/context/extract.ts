/**
 * A summary that needs no model: what the person told and decided, in their own words, and what was done last. It
 * keeps less than a model would, and invents nothing.
 */
import { queryTerms } from '../search/index.ts'
import { type Message, textOf, toolCallsOf } from '../session/index.ts'
import { estimateText } from './tokens.ts'

const HEADINGS = {
  told: '## What the person told',
  asked: '## What was asked, the newest last',
  done: '## What was done last',
} as const

/** Sentences that tell something that holds beyond the moment. */
const LASTING =
  /\b(?:my|our|we|i|i'm|i've|we're|name|called|always|never|must|should|prefer|decided?|use[sd]?|deadline|because|remember|works?|lives?|is|are|was)\b|我|我们|必须|总是|不要|决定|喜欢|记住|是/i
/** What is wanted now, and not a rule for later. */
const REQUEST =
  /^(?:(?:ok|okay|now|then|next|and|so|well|great|thanks)[,.]?\s+)*(?:please\b|(?:can|could|would|will) you\b|let's\b|look\b|take\b|show\b|tell me\b|go on\b|check\b|run\b|read\b|open\b|find\b|list\b|give\b|explain\b|请|帮|看)/i
const RULE =
  /\b(?:always|never|remember|from now on|whenever|every time|by default)\b|总是|从不|记住|以后|不要/i
/** What makes a sentence worth more: it corrects, decides or names. */
const WEIGHTY =
  /\b(?:remember|always|never|must|decided?|prefer|name is|called|deadline|not |don't|instead|actually|port|version|address|birthday)\b|\d+|[A-Z][a-z]+ [A-Z]|记住|必须|总是|不要|决定/
const LONGEST_SENTENCE = 280
const LONGEST_ASKED = 120
const DONE_SHOWN = 8

interface Told {
  text: string
  /** In which order it was said. */
  at: number
}

export interface ExtractOptions {
  tokens: number
  /** What the person wants to be kept above all. */
  focus?: string | undefined
}

/** At most `tokens` long; what an earlier summary of this kind kept is weighed together with what is new. */
export function extractSummary(
  messages: readonly Message[],
  earlier: string | undefined,
  { tokens, focus = '' }: ExtractOptions,
): string {
  const isWanted = aboutAnyOf(wordsOf(focus))
  const before = sections(earlier ?? '')
  const said = messages.filter(({ role, origin }) => role === 'user' && origin === 'person').map(textOf)
  const sentences = said.flatMap(sentencesOf)
  const told = unique([
    ...before.told,
    ...sentences
      .filter(text => isLasting(text) || isWanted(text))
      .map(text => shorten(text, LONGEST_SENTENCE)),
  ])
  const asked = unique([...before.asked, ...said.map(text => shorten(oneLine(text), LONGEST_ASKED))])
  const done = [...before.done, ...messages.flatMap(doneIn)].slice(-DONE_SHOWN)
  const kept = fit(told, Math.floor(tokens * 0.65), isWanted)
  const recent = fitNewest(asked, Math.floor(tokens * 0.2))
  return [
    ...section(HEADINGS.told, kept),
    ...section(HEADINGS.asked, recent),
    ...section(HEADINGS.done, fitNewest(done, Math.floor(tokens * 0.15))),
  ].join('\n')
}

function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [heading, ...lines.map(line => `- ${line}`)]
}

function sections(text: string): { told: string[]; asked: string[]; done: string[] } {
  const found = { told: [] as string[], asked: [] as string[], done: [] as string[] }
  let into = found.told
  for (const line of text.split('\n')) {
    const heading = (Object.keys(HEADINGS) as Array<keyof typeof HEADINGS>).find(
      key => HEADINGS[key] === line,
    )
    if (heading) into = found[heading]
    else if (line.startsWith('- ')) into.push(line.slice(2))
    // A model may have written the earlier one: its words are kept as what was told.
    else if (line.trim() !== '' && !line.startsWith('#')) into.push(shorten(line.trim(), LONGEST_SENTENCE))
  }
  return found
}

function sentencesOf(text: string): string[] {
  return text
    .replaceAll(/```[\s\S]*?```/g, ' ')
    .split(/(?<=[.!?。！？])\s+|\n+|(?<=[。！？])/)
    .map(oneLine)
    .filter(sentence => sentence.length > 8)
}

function isLasting(sentence: string): boolean {
  if (/[?？]$/.test(sentence) || !LASTING.test(sentence)) return false
  return !REQUEST.test(sentence) || RULE.test(sentence)
}

/** The weightiest first, the older before the newer among equals, in the order in which they were said. */
function fit(lines: readonly string[], tokens: number, isWanted: (text: string) => boolean): string[] {
  const ranked = lines
    .map((text, at): Told & { weight: number } => ({
      text,
      at,
      weight: weightOf(text) + (isWanted(text) ? WANTED : 0),
    }))
    .toSorted((a, b) => b.weight - a.weight || a.at - b.at)
  let left = tokens
  const kept = ranked.filter(({ text }) => {
    const cost = estimateText(text) + 2
    if (cost > left) return false
    left -= cost
    return true
  })
  return kept.toSorted((a, b) => a.at - b.at).map(({ text }) => text)
}

/** More than a sentence weighs by itself. */
const WANTED = 1_000

/** As they are searched for, without those that say nothing by themselves. */
function wordsOf(text: string): string[] {
  return queryTerms(text).flatMap(({ term, forms, stop }) =>
    stop ? [] : [term, ...forms.map(form => form.term)],
  )
}

function aboutAnyOf(words: readonly string[]): (text: string) => boolean {
  const wanted = new Set(words)
  return text => wanted.size > 0 && wordsOf(text).some(word => wanted.has(word))
}

function weightOf(text: string): number {
  return (text.match(new RegExp(WEIGHTY.source, 'gi')) ?? []).length
}

function fitNewest(lines: readonly string[], tokens: number): string[] {
  let left = tokens
  const kept: string[] = []
  for (const line of lines.toReversed()) {
    left -= estimateText(line) + 2
    if (left < 0) break
    kept.push(line)
  }
  return kept.reverse()
}

function doneIn(message: Message): string[] {
  const calls = toolCallsOf(message).map(({ tool, input }) =>
    shorten(`${tool} ${JSON.stringify(input)}`, LONGEST_ASKED),
  )
  const words = message.role === 'assistant' ? oneLine(textOf(message)) : ''
  return words === '' ? calls : [...calls, shorten(words, LONGEST_ASKED)]
}

function unique(lines: readonly string[]): string[] {
  return [...new Set(lines)]
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`
}
