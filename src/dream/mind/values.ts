/** Numbers, times and dates in one form each, whatever they are written like. */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Source of a pattern for the name of a month. */
export const MONTH_NAME =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?'

/** `m05` for May; undefined for what is no month's name. */
export function monthKey(word: string): string | undefined {
  const at = MONTHS.indexOf(word.slice(0, 3))
  const whole = new RegExp(`^(?:${MONTH_NAME})$`, 'i')
  return at >= 0 && whole.test(word) ? `m${two(at + 1)}` : undefined
}

/** `2026-05-01`, or `05-01` where no year is told. */
export function dateKey(written: string): string {
  if (/^\d{4}-Q/.test(written)) return written.toLowerCase()
  const numbers = (written.match(/\d+/g) ?? []).map(Number)
  const name = new RegExp(MONTH_NAME, 'i').exec(written)?.[0]
  if (name !== undefined) {
    const month = Number(monthKey(name.toLowerCase())?.slice(1))
    const year = numbers.find(number => number > 31)
    const day = numbers.find(number => number <= 31)
    return joined(year, month, day)
  }
  if (numbers.length === 3) return joined(numbers[0], numbers[1], numbers[2])
  const [first = 0, second] = numbers
  return first > 31 ? joined(first, second, undefined) : joined(undefined, first, second)
}

function joined(year: number | undefined, month = 0, day: number | undefined): string {
  return [year, two(month), day === undefined ? undefined : two(day)]
    .filter(part => part !== undefined)
    .join('-')
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

const CHINESE_DIGITS = '零一二三四五六七八九'

function chineseNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  const plain = text.replace('两', '二')
  const [tens, ones] = plain.includes('十') ? plain.split('十') : ['', plain]
  const digit = (part = ''): number => (part === '' ? 0 : Math.max(0, CHINESE_DIGITS.indexOf(part)))
  return plain.includes('十') ? (tens === '' ? 10 : digit(tens) * 10) + digit(ones) : digit(ones)
}

/** `15` for 十五. */
export function countOf(written: string): string {
  return String(chineseNumber(written))
}

/** `09:30` on the clock of 24 hours. */
export function timeKey(written: string): string {
  const chinese =
    /(凌晨|早上|上午|中午|下午|晚上|傍晚)?\s?(\d{1,2}|[一二三四五六七八九十两]{1,3})\s?点(半|一刻|三刻|\s?\d{1,2})?/.exec(
      written,
    )
  if (chinese) {
    const [, part = '', hours = '', minutes = ''] = chinese
    const hour = chineseNumber(hours)
    const late = /下午|晚上|傍晚/.test(part) && hour < 12
    const minute =
      minutes === '半' ? 30 : minutes === '一刻' ? 15 : minutes === '三刻' ? 45 : Number(minutes.trim() || 0)
    return `${two(late ? hour + 12 : hour)}:${two(minute)}`
  }
  const [hours = 0, minutes = 0] = (written.match(/\d+/g) ?? []).map(Number)
  const half = /([ap])\.?m/i.exec(written)?.[1]?.toLowerCase()
  const hour = half === 'p' && hours < 12 ? hours + 12 : half === 'a' && hours === 12 ? 0 : hours
  return `${two(hour)}:${two(minutes)}`
}

export function numberKey(written: string): string {
  return written.replaceAll(',', '').replace(/^v/i, '')
}

const ENGLISH_NUMBERS =
  'zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'

const CURRENCIES: ReadonlyArray<readonly [string, RegExp]> = [
  ['$', /\$|usd|dollars?/i],
  ['€', /€|eur(?:os?)?/i],
  ['£', /£|gbp|pounds?/i],
  ['¥', /[¥￥]|cny|rmb|元|块钱/i],
]
const MULTIPLES: ReadonlyArray<readonly [RegExp, number]> = [
  [/k/i, 1e3],
  [/m(?!b)/i, 1e6],
  [/万/, 1e4],
  [/亿/, 1e8],
]

/** `€500` for 500 euros as well, `$40000` for $40k. */
export function moneyKey(written: string): string {
  const [currency = ''] = CURRENCIES.find(([, pattern]) => pattern.test(written)) ?? []
  const amount = Number((/\d[\d,]*(?:\.\d+)?/.exec(written)?.[0] ?? '').replaceAll(',', ''))
  const unit = CURRENCIES.reduce((text, [, pattern]) => text.replace(pattern, ''), written)
  const [, times = 1] = MULTIPLES.find(([pattern]) => pattern.test(unit)) ?? []
  return `${currency}${amount * times}`
}

/** `one` and `一` are left out: they seldom count anything. */
export const NUMBER_WORDS: ReadonlyMap<string, string> = new Map([
  ...ENGLISH_NUMBERS.split(' ').map((word, at): [string, string] => [word, String(at === 0 ? 0 : at + 1)]),
  ...'third fourth fifth sixth seventh eighth ninth tenth'
    .split(' ')
    .map((word, at): [string, string] => [word, String(at + 3)]),
  ['thirty', '30'],
  ['forty', '40'],
  ['fifty', '50'],
  ['sixty', '60'],
  ['ninety', '90'],
  ['hundred', '100'],
  ['twice', '2'],
  ...[...'两二三四五六七八九'].map((word): [string, string] => [word, String(chineseNumber(word))]),
  ['十', '10'],
])

/** Weekdays in both languages, also in the plural. */
export const WEEKDAYS: ReadonlyMap<string, string> = new Map(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].flatMap((name, at) => {
    const short = name.slice(0, 3)
    const characters = at === 6 ? ['日', '天'] : ['一二三四五六'[at] ?? '']
    const written = [
      name,
      `${name}s`,
      short,
      ...(short === 'tue' ? ['tues'] : []),
      ...(short === 'thu' ? ['thur', 'thurs'] : []),
    ]
    const chinese = characters.flatMap(character =>
      ['周', '星期', '礼拜', '每周'].map(week => week + character),
    )
    return [...written, ...chinese]
      .filter(word => !['sun', 'sat', 'wed', 'mon'].includes(word))
      .map((word): [string, string] => [word, `d${at + 1}`])
  }),
)

/** Units that are written at once with their number. */
export const UNITS: Readonly<Record<string, string>> = {
  ms: 'millisecond',
  s: 'second',
  sec: 'second',
  secs: 'second',
  min: 'minute',
  mins: 'minute',
  h: 'hour',
  hr: 'hour',
  hrs: 'hour',
  kb: 'kilobyte',
  mb: 'megabyte',
  gb: 'gigabyte',
  tb: 'terabyte',
  km: 'kilometre',
  kg: 'kilogram',
  cm: 'centimetre',
  ml: 'millilitre',
  rps: 'rps',
}
