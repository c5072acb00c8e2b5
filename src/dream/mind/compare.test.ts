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
    ['Audit logs are retained for 7 years.', 'We keep audit logs for seven years.'],
    ['Functions should not exceed 40 lines.', 'Keep functions below 40 lines.'],
    ['The library is on the 2nd floor.', 'The library is on floor 2.'],
    ['Captain Osei flies the Accra route.', 'The Accra route is flown by Captain Osei.'],
    ['Sales open at noon on Fridays.', 'On Fridays sales start at 12:00.'],
    ['The user owns a dog named Biscuit.', "The user's dog is called Biscuit."],
    ['Leave requests go to hr@acme.test.', 'For leave requests, write to hr@acme.test.'],
    ['退货期限是七天。', '退货的期限是7天。'],
    ['Each client may send 100 requests/min.', 'Clients may send 100 requests per minute.'],
    ['Feature flags are managed in Unleash.', 'We use Unleash for feature flags.'],
    ['The standup starts at 9:30.', 'The standup is at 9:30.'],
    ['Ask for confirmation before deleting files.', 'Never delete files without asking.'],
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
    ['Support is open 9:00 to 17:00.', 'Support is now open from 8:00 to 20:00.'],
    ['Ayesha leads the platform team.', 'Bram took over the platform team from Ayesha.'],
    ['The head brewer is Tomasz.', 'Lucia is the head brewer now.'],
    ['Sanna is editor in chief.', 'Sanna was succeeded by Teo as editor in chief.'],
    ['Drinks two cups of coffee a day.', 'Has stopped drinking coffee.'],
    ['Invoices are sent as PDF.', 'Invoices are no longer sent as PDF but as XML.'],
    ['Indent with tabs.', 'Indent with two spaces, not tabs.'],
    ['The backend is written in Python.', 'The backend was rewritten in Rust.'],
    ['The app runs in us-east-1.', 'The app was moved to eu-central-1.'],
    ['The night crew has 4 people.', 'The night crew was reduced to 3 people.'],
    ['服务器在新加坡。', '服务器迁到了东京。'],
    ['会员价格是每月15元。', '会员价格涨到每月20元。'],
    ['Design files are in Figma, project Atlas.', 'Design files are now in Penpot, project Atlas.'],
    ['The planning is held in room Juniper.', 'The planning is now held in room Larch.'],
    ['Uploads are stored in S3.', 'Uploads are stored in Cloudflare R2, no longer in S3.'],
    ['Bettina does the bookkeeping.', 'Jorge does the bookkeeping now.'],
    ['Marek is the team lead of Atlas.', 'Sunniva is the team lead of Atlas now.'],
    ['The dentist is Dr. Weiss.', 'The dentist is now Dr. Okafor.'],
    ['The library is licensed under MIT.', 'The library is licensed under Apache 2.0 now.'],
    ['The newsletter is in English.', 'The newsletter is in Danish.'],
    ['前端负责人是小王。', '前端负责人现在是老赵。'],
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
    ['Omit semicolons in JavaScript.', 'Always use semicolons in JavaScript files.'],
    ['Explain why a change is needed.', 'Explain how a change is tested.'],
    ['Guests check in from 15:00.', 'Guests check out until 11:00.'],
    ['The sessions table is purged at night.', 'The sessions table is kept at night.'],
    ['Squash feature branches.', 'Each feature gets its own branch.'],
    ['Red wine is stored at 16 degrees.', 'Store the wine at 12 degrees.'],
    ['Login sessions expire after 12 hours.', 'Sessions now expire after 60 minutes.'],
    ['The software launch is in May.', 'The launch has slipped to 2027-04-15.'],
    ['No longer fasts on Mondays.', 'Works from the office on Mondays.'],
    ['Stripe handles our payments.', '张三负责支付。'],
    ['The admin session timeout is 30 minutes.', 'The session timeout is 30 minutes.'],
    ['Red wine is stored at 16 degrees.', 'Serve the wine at 16 degrees.'],
    ['Deploy docs are at https://wiki.acme.test/ops.', 'Incident docs are at https://wiki.acme.test/ops.'],
    ['Store the wine at 12 degrees.', 'Serve the wine at 16 degrees.'],
    ['The boiler was serviced on 2026-01-10.', 'The boiler was serviced on 2026-07-11.'],
    ['The api repo uses ESLint.', 'Biome replaced ESLint in the web repo.'],
    ['The upload limit for videos was raised to 2 GB.', 'The upload limit for images is 20 MB.'],
    ['Ines is on call in week 12.', 'Ines is on call in week 15.'],
    ['Maria maintains the scheduler.', 'Maria documents the scheduler.'],
    ['The head of sales is Carla.', 'The head of marketing is Dario.'],
    ['Contracts over 10,000 euros are signed by Helga.', 'Contracts over 10,000 euros are checked by Rolf.'],
    ['Use single quotes in Python.', 'Reply to Python questions in English from now on.'],
    ['The app is available in Spain.', 'The app is now available in Norway.'],
    ['The data in Willow is encrypted.', 'The data in Velvet is now encrypted.'],
    ['Willow was rewritten in Rust.', 'Velvet was rewritten in Rust.'],
    ['Willow is hosted on Hetzner.', 'Velvet is now hosted on Hetzner.'],
    ['Alice works with Bob on search.', 'Alice now works with Carol on search.'],
    ['Borealis is maintained by Marek.', 'Atlas is now maintained by Marek.'],
    ['Swims in the morning.', 'Swims in the evening.'],
    ['The p95 latency should get below 200 ms.', 'The p95 latency is 310 ms.'],
    ['The target for coverage is 90 %.', 'The coverage is 71 %.'],
    ['The pool needs a minimum of 4 workers.', 'The pool needs a maximum of 16 workers.'],
    ['The app supports Chrome 120.', 'The app supports Firefox 115.'],
    ['The CLI is tested on macOS 14.', 'The CLI is tested on Windows 11.'],
    ['The owner speaks Finnish.', 'The owner’s mother tongue is Finnish.'],
  ])('have nothing to do with each other: %s / %s', (a, b) => {
    expect(relation(a, b)).toBe('apart')
    expect(relation(b, a)).toBe('apart')
  })
})
