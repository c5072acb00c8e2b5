/** What a model found while it thought about the material: typed, one per line. */
import { z } from 'zod'
import type { Finding } from '../dreamer.ts'

const findingSchema = z.object({
  target: z.enum(['MEMORY', 'USER', 'SOUL', 'SKILL']).default('MEMORY'),
  kind: z
    .enum([
      'add',
      'duplicate',
      'contradiction',
      'stale',
      'relative-date',
      'dangling',
      'long-line',
      'secret',
      'injection',
      'skill',
    ])
    .catch('add'),
  files: z.array(z.string()).default([]),
  what: z.string().min(1),
})

const NOTHING = /^\W*(?:none|nothing|无|没有)\W*$/i

/** Undefined when nothing of it can be read: what is no answer must not pass for "there is nothing". */
export function readFindings(text: string): Finding[] | undefined {
  const lines = text.split('\n').flatMap(line => {
    const trimmed = line.trim().replace(/^[-*]\s+/, '')
    return trimmed.startsWith('{') ? [trimmed.replace(/,$/, '')] : []
  })
  const found = lines.flatMap(readFinding)
  if (found.length > 0) return found
  return NOTHING.test(withoutFences(text)) ? [] : undefined
}

function readFinding(line: string): Finding[] {
  try {
    const { what, ...finding } = findingSchema.parse(JSON.parse(line))
    return [{ ...finding, detail: what }]
  } catch {
    return []
  }
}

function withoutFences(text: string): string {
  return text.replaceAll(/```\w*/g, '').trim()
}
