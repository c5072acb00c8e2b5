/** What the forms of English sentences have in common. */
import type { FactPattern, MemoryType } from './statement.ts'

export const ADVERBS =
  '(?:(?:also|really|always|usually|generally|normally|typically|mostly|mainly|primarily|personally|strongly|definitely|absolutely|still|actually|often|only|much|kind of|tend to|pretty much|currently|now) )*'
export const TEAM = '(?:we|our team|the team|my team|our company|my company)'
export const NAME = "(?:Dr\\.? |Prof\\.? )?\\p{Lu}[\\p{L}'-]+(?: \\p{Lu}[\\p{L}'-]+){0,2}"
/** "I use useEffect", "I use parse()": what the code does, not what the person does. */
export const CODE = /\b(?!macOS|iOS|iPad|iPhone|iTerm)[a-z]+[A-Z]\w*|\w\(\)|\w\.\w+\(|=>|<\w+>|\buse [A-Z]\b/

/**
 * A form in which a fact is told. In a match, `object` is what the verb is about, `value` what an attribute is,
 * `thing` a value that must be the name of something.
 */
export function told(type: MemoryType, source: string, unless?: RegExp): FactPattern {
  return { type, is: new RegExp(source, 'iu'), ...(unless && { unless }) }
}

/** The same, where capitals tell names from other words. */
export function named(type: MemoryType, source: string): FactPattern {
  return { type, is: new RegExp(source, 'u') }
}
