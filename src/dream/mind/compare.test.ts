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
    ['The owner cannot stand cilantro.', 'Hates cilantro.'],
    ['Does not eat meat.', 'Is a vegetarian.'],
    ['Jonas signs off the invoices.', 'Invoices are approved by Jonas.'],
    ['The retro is held every other Thursday.', 'On alternate Thursdays we hold the retrospective.'],
    ['The invoice run happens every month.', 'Invoicing is run once a month.'],
    ['Carry out the tests before each merge.', 'Run the tests before merging.'],
    ['Pick legible names over short ones.', 'Choose readable names over short ones.'],
    ['The demo is every Friday at 15:00.', 'Every week on Friday at 15:00 there is a demonstration.'],
    ['Works from home on Wednesdays.', 'Wednesdays are remote.'],
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
    ['The retro is every Thursday.', 'The retro is every other Thursday.'],
    ['The weekly report goes to Ana.', 'The monthly report goes to Ana.'],
    ['At most 3 reviewers.', 'At least 3 reviewers.'],
    ['The owner has a wife called Kim.', 'The owner has a husband called Lee.'],
    ['Is allergic to milk.', 'Is lactose intolerant.'],
    ['The sick leave is paid.', 'The parental leave is paid.'],
    ['The owner speaks Finnish.', 'The owner’s mother tongue is Finnish.'],
  ])('have nothing to do with each other: %s / %s', (a, b) => {
    expect(relation(a, b)).toBe('apart')
    expect(relation(b, a)).toBe('apart')
  })
})
