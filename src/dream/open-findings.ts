import type { DreamReport } from './dreamer.ts'

/** What was found and is left to the owner, a sentence each. */
export function openIn({ findings = [] }: Partial<DreamReport>): string[] {
  return findings.filter(({ isOpen }) => isOpen).map(({ detail }) => detail)
}
