import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withAbsoluteDates } from './dates.ts'

/** Wednesday afternoon, local time. */
const NOW = new Date(2026, 3, 8, 15, 30)

/** What is written, and what it becomes. */
const REWRITTEN: Array<[string, string]> = [
  ['We shipped it yesterday.', 'We shipped it 2026-04-07.'],
  ['today we start', '2026-04-08 we start'],
  ['As of today, main is frozen', 'As of 2026-04-08, main is frozen'],
  ['The demo is tomorrow', 'The demo is 2026-04-09'],
  ['The demo is tomorrow morning at 9.', 'The demo is the morning of 2026-04-09 at 9.'],
  ['Tonight at 8pm', 'The evening of 2026-04-08 at 8pm'],
  ['it crashed last night', 'it crashed the night of 2026-04-07'],
  ['this morning the build broke', 'the morning of 2026-04-08 the build broke'],
  ['the day before yesterday it broke', '2026-04-06 it broke'],
  ['let us meet the day after tomorrow', 'let us meet 2026-04-10'],
  ['He called 3 days ago', 'He called 2026-04-05'],
  ['a day ago', '2026-04-07'],
  ['Three weeks ago we moved', 'The week of 2026-03-16 we moved'],
  ['It was removed four months ago.', 'It was removed in 2025-12.'],
  ['He joined two years ago', 'He joined in 2024'],
  ['since two years ago', 'since 2024'],
  ['In 3 days we ship', 'On 2026-04-11 we ship'],
  ['We will ship in two weeks', 'We will ship the week of 2026-04-20'],
  ["the release is in 3 months' time", 'the release is in 2026-07'],
  ['The contract ends in a year', 'The contract ends in 2027'],
  ['10 days from now', '2026-04-18'],
  ['We met last week', 'We met the week of 2026-03-30'],
  ['this week is quiet', 'the week of 2026-04-06 is quiet'],
  ['later this week', 'later in the week of 2026-04-06'],
  ['by the end of next week', 'by the end of the week of 2026-04-13'],
  ['the week before last', 'the week of 2026-03-23'],
  ['this weekend', 'the weekend of 2026-04-11'],
  ['Next month: release', '2026-05: release'],
  ['It ships next month', 'It ships in 2026-05'],
  ['early next month', 'early 2026-05'],
  ['planned for next quarter', 'planned for 2026-Q3'],
  ['last quarter', '2026-Q1'],
  ["last year's budget", "2025's budget"],
  ['March last year', 'March 2025'],
  ['Last year we moved to Berlin', 'In 2025 we moved to Berlin'],
  ['Last year was hard', '2025 was hard'],
  ['next May', '2026-05'],
  ['since last March', 'since 2026-03'],
  ['next Friday', '2026-04-10'],
  ['next Wednesday', '2026-04-15'],
  ['last Monday we met', '2026-04-06 we met'],
  ['this Friday', '2026-04-10'],
  ['we met this Monday', 'we met 2026-04-06'],
  ['Friday next week', '2026-04-17'],
  ['we talked last week on Tuesday', 'we talked 2026-03-31'],
  ['The demo is on Friday', 'The demo is on 2026-04-10'],
  ['The demo is on Friday, the freeze started', 'The demo is on 2026-04-10, the freeze started'],
  ['The demo is in two weeks, the freeze started', 'The demo is the week of 2026-04-20, the freeze started'],
  ['on Friday 5pm', 'on 2026-04-10 5pm'],
  ['on Friday evening', 'on the evening of 2026-04-10'],
  ['The owner asked for the report by Thursday', 'The owner asked for the report by 2026-04-09'],
  ['Merges are frozen until Monday.', 'Merges are frozen until 2026-04-13.'],
  ['At the retro on Tuesday we agreed', 'At the retro on 2026-04-07 we agreed'],
  ['We will deploy on Friday', 'We will deploy on 2026-04-10'],
  ['Played tennis on Monday', 'Played tennis on 2026-04-06'],
  ['The first class is on Friday', 'The first class is on 2026-04-10'],
  [
    'It began last week and should be finished in two weeks',
    'It began the week of 2026-03-30 and should be finished the week of 2026-04-20',
  ],
  ['We met on Monday', 'We met on 2026-04-06'],
  ['On Monday we shipped it', 'On 2026-04-06 we shipped it'],
  ['We decided to ship on Friday', 'We decided to ship on 2026-04-10'],
  ['since Tuesday the build is red', 'since 2026-04-07 the build is red'],
  ['The review was moved to Thu', 'The review was moved to 2026-04-09'],
  ['- **Why:** the audit starts tomorrow', '- **Why:** the audit starts 2026-04-09'],
  ['The freeze starts Thursday; see you', 'The freeze starts 2026-04-09; see you'],
  ['The demo was two weeks ago today', 'The demo was 2026-03-25'],
  ['yesterday and tomorrow', '2026-04-07 and 2026-04-09'],
  ['昨天上线了', '2026-04-07上线了'],
  ['PR今天合并', 'PR2026-04-08合并'],
  ['前天和大前天', '2026-04-06和2026-04-05'],
  ['明天提测', '2026-04-09提测'],
  ['后天交付，大后天验收', '2026-04-10交付，2026-04-11验收'],
  ['昨晚服务挂了', '2026-04-07晚上服务挂了'],
  ['今晚八点发版', '2026-04-08晚上八点发版'],
  ['上周搬了办公室', '2026-03-30那一周搬了办公室'],
  ['上周三开会', '2026-04-01开会'],
  ['下周三评审', '2026-04-15评审'],
  ['这周五截止', '2026-04-10截止'],
  ['下周日回来', '2026-04-19回来'],
  ['下周日程很满', '2026-04-13那一周日程很满'],
  ['下周三个会议', '2026-04-13那一周三个会议'],
  ['这周天气不好', '2026-04-06那一周天气不好'],
  ['完成本周任务', '完成2026-04-06那一周任务'],
  ['参加上个星期的会', '参加2026-03-30那一周的会'],
  ['下周末团建', '2026-04-18那个周末团建'],
  ['上个月换了数据库', '2026-03换了数据库'],
  ['下个月15号上线', '2026-05-15上线'],
  ['上季度亏损', '2026-Q1亏损'],
  ['去年搬到柏林', '2025年搬到柏林'],
  ['去年三月入职', '2025-03入职'],
  ['今年12月25日放假', '2026-12-25放假'],
  ['明年换工作', '2027年换工作'],
  ['三天前', '2026-04-05'],
  ['他两年前入职', '他2024年入职'],
  ['十二天前', '2026-03-27'],
  ['三个月前', '2026-01'],
  ['两周后上线', '2026-04-20那一周上线'],
  ['计划在10天后发布', '计划在2026-04-18发布'],
  ['在周五交付', '在2026-04-10交付'],
  ['周五前提交', '2026-04-10前提交'],
  ['我们在周一开了会', '我们在2026-04-06开了会'],
  ['昨天開會，後天交付', '2026-04-07開會，2026-04-10交付'],
  ['上週三、下個月', '2026-04-01、2026-05'],
  ['上週很忙', '2026-03-30那一週很忙'],
  ['兩年前，這個星期五', '2024年，2026-04-10'],
]

const UNTOUCHED: string[] = [
  'every Monday at 9',
  'on Fridays we rest',
  'The standup is daily',
  'Never deploy on Friday',
  "Don't schedule meetings on Monday",
  'Backups run each week on Sunday',
  'from Monday to Friday',
  'The retro is on Tuesday at 15:00',
  'Planning is on Monday',
  'We deploy on Friday',
  'Deploys on Friday, never before noon',
  'Anna plays tennis on Saturday',
  'Goes to yoga on Tuesday',
  'Standup moved to Tuesday',
  'Releases happen on Friday',
  'The shop is closed on Sunday',
  'Invoices are due in 14 days',
  'Orders ship in two days',
  '发布只安排在周四晚上',
  '例会在周三',
  '会话在3天后过期',
  'open Monday through Friday',
  'on Friday mornings',
  'on 2026-04-10',
  'On Friday, 10 April 2026',
  'on Friday the 13th',
  'yesterday (2026-04-07)',
  'at 5pm',
  'for two weeks',
  'takes 3 days',
  'It was built in 3 days',
  'The job can be done in 2 days',
  'Tokens expire in 30 days',
  'reply within 3 days',
  'two or three weeks ago',
  '2-3 weeks ago',
  '1.5 years ago',
  'a few days ago',
  'over the last month',
  'the last week of May',
  'the last Friday of the month',
  'my last year at school',
  'the next week',
  'last_week_report.csv',
  'today.md, /var/log/yesterday, last-week.csv',
  'see `yesterday` and `next week`',
  '```\nconst day = yesterday\nlast week\n```',
  'https://example.com/today/next',
  '[notes](tomorrow notes.md)',
  'He reads USA Today',
  'the "Today Show"',
  'now, recently and currently',
  'It may march on; he sat for a second',
  'call today() first',
  '@today #tomorrow',
  'Uses tabs, never spaces',
  '每周一开会',
  '周一到周五',
  '周五不要上线',
  '三天的工作量',
  '三天内回复',
  '5月3日前完成',
  '2023年前的数据',
  '发布三天后回滚',
  '上线三天前冻结代码',
  '一两天前',
  '几天前',
  '第三天后',
  '两周后端重构',
  '三年前端经验',
  '后天性因素',
  '说明天数和说明日期',
  '目前天气不错',
  '如今年轻人',
  '过去年度报告',
  '晚上周会',
  '线上周期任务，本周期',
  '版本周报',
  '今日头条',
  '下周一起吃饭',
  '`昨天`',
  '2026年3月',
  '喜欢用制表符缩进',
]

describe('withAbsoluteDates', () => {
  test.each(REWRITTEN)('%s → %s', async (written, expected) => {
    const once = withAbsoluteDates(written, NOW)
    expect(once.text).toBe(expected)
    expect(once.changed.length).toBeGreaterThan(0)
    expect(withAbsoluteDates(once.text, NOW)).toEqual({ text: expected, changed: [] })
  })

  test.each(UNTOUCHED)('leaves %s', async written => {
    expect(withAbsoluteDates(written, NOW)).toEqual({ text: written, changed: [] })
  })

  test('says what it changed, in order', async () => {
    const { changed } = withAbsoluteDates('Met yesterday, will ship on Friday.', NOW)
    expect(changed).toEqual([
      { from: 'yesterday', to: '2026-04-07' },
      { from: 'on Friday', to: 'on 2026-04-10' },
    ])
  })

  test('takes the day from the local clock, at both ends of it', async () => {
    expect(withAbsoluteDates('today', new Date(2026, 3, 8, 0, 0, 1)).text).toBe('2026-04-08')
    expect(withAbsoluteDates('today', new Date(2026, 3, 8, 23, 59, 59)).text).toBe('2026-04-08')
  })

  test.each([
    ['yesterday', new Date(2026, 0, 1, 12), '2025-12-31'],
    ['last month', new Date(2026, 0, 31, 12), '2025-12'],
    ['next month', new Date(2026, 0, 31, 12), '2026-02'],
    ['last quarter', new Date(2026, 1, 1, 12), '2025-Q4'],
    ['tomorrow', new Date(2028, 1, 28, 12), '2028-02-29'],
    ['this week', new Date(2026, 3, 12, 12), 'the week of 2026-04-06'],
    ['下周一', new Date(2026, 3, 12, 12), '2026-04-13'],
    ['next December', new Date(2026, 11, 5, 12), '2027-12'],
  ])('%s on %s', async (written, now, expected) => {
    expect(withAbsoluteDates(written, now).text).toBe(expected)
  })

  test('never throws, and a second run changes nothing', async () => {
    const word = fc.constantFrom(
      ...REWRITTEN.map(([written]) => written),
      ...UNTOUCHED,
      ...'yesterday|last|next|week|in|two|days|ago|on|Friday|the|上|下|周|三|天|前|后|年|月|明|2026|`|```|\n|.|-|/'.split(
        '|',
      ),
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(word).map(words => words.join(' ')),
      fc.array(word).map(words => words.join('')),
    )
    await fc.assert(
      fc.asyncProperty(text, async written => {
        const once = withAbsoluteDates(written, NOW)
        expect(withAbsoluteDates(once.text, NOW).text).toBe(once.text)
      }),
      { numRuns: 500 },
    )
  })

  test('leaves any text without words for time alone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(...'bcfgjklpqvxz .,!-_`/偏好制表符缩进') }),
        async written => {
          expect(withAbsoluteDates(written, NOW)).toEqual({ text: written, changed: [] })
        },
      ),
    )
  })

  test('a megabyte of dates takes seconds at most', async () => {
    const started = performance.now()
    for (const piece of [
      'yesterday ',
      'on Friday ',
      '三天后',
      'a ',
      '`',
      '```\n',
      '<a',
      'last week of ',
      '两',
      '[[x',
      '](',
    ]) {
      withAbsoluteDates(piece.repeat(Math.ceil(1_000_000 / piece.length)), NOW)
    }
    expect(performance.now() - started).toBeLessThan(30_000)
  })
})
