import { describe, expect, it } from 'vitest'
import { claimOf } from './claim.ts'
import { compare } from './compare.ts'

const relation = (a: string, b: string): string => compare(claimOf(a), claimOf(b))

describe('two claims', () => {
  it.each([
    ['Indent with tabs, not spaces.', 'Likes to use tabs for indentation.'],
    ['The daily standup is at 9:30.', '每天早上9:30开站会。'],
    ['Alice is responsible for the billing service.', 'The billing service is maintained by Alice.'],
    ['Never use emojis in commit messages.', 'Emojis are forbidden in commit messages.'],
    ['Ask before deleting files.', 'Never delete files without asking first.'],
  ])('say the same: %s / %s', (a, b) => {
    expect(relation(a, b)).toBe('same')
    expect(relation(b, a)).toBe('same')
  })

  it.each([
    ['The project uses npm.', 'The project uses pnpm.'],
    ['The archive is located in Porto.', 'The archive moved from Porto to Madrid.'],
    ['Failed jobs are retried 3 times.', 'Failed jobs are retried 5 times.'],
    ['Deploying on Fridays is fine.', 'Never deploy on Fridays.'],
    ['Priya leads the search team.', 'Tom leads the search team now.'],
    ['支付模块由张伟负责。', '支付模块现在由李娜负责。'],
  ])('cannot both hold: %s / %s', (a, b) => {
    expect(relation(a, b)).toBe('contradicts')
    expect(relation(b, a)).toBe('contradicts')
  })

  it.each([
    ['Use tabs for indentation.', 'Use tabs for indentation in Go.'],
    ['The staging port is 8080.', 'The production port is 9090.'],
    ['Speaks German.', 'Speaks French.'],
    ['Alice maintains atlas.', 'Alice maintains beacon.'],
    ['The goal of sprint 12 is search.', 'The goal of sprint 13 is search.'],
    ['Run the tests before every commit.', 'Run the linter before every commit.'],
    ['Met Acme on 2026-04-01.', 'Met Acme on 2026-06-11.'],
    ['The frontend uses pnpm.', 'The backend uses yarn.'],
  ])('have nothing to do with each other: %s / %s', (a, b) => {
    expect(relation(a, b)).toBe('apart')
    expect(relation(b, a)).toBe('apart')
  })
})
