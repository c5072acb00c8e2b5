import type { SecretPlace } from './known-tokens.ts'
import { isStandIn } from './placeholder.ts'

const PASSWORD_NAME =
  'password|passwd|passphrase|passcode|pwd|(?<![a-z])pass|passwort|kennwort|contraseña|mot de passe|senha|(?<![a-z])pw|パスワード|пароль|비밀번호|密码|密碼|口令'
const KEY_NAME =
  'api[ _-]?key|access[ _-]?key(?:[ _-]?id)?|secret[ _-]?key|private[ _-]?key|signing[ _-]?key|encryption[ _-]?key|account[ _-]?key|client[ _-]?secret|secret|token|密钥|密鑰|秘钥|令牌'
const NAME = `(?:(?<password>${PASSWORD_NAME})|(?<key>${KEY_NAME}))`
/** "password for the staging box is …": a few words may stand between the name and the value. */
const OF_WHAT = '(?: (?:for|of|to|on|at|für|vom|pour|du|de|para|del)(?: [\\wÀ-ɏ./@-]{1,30}){1,5}?)?'
const CONNECTOR =
  '(?:(?<sign>\\s{0,3}(?:=>|:=|={1,3}|[:：＝])\\s{0,3})|(?<verb> {1,3}(?:is|was|ist|es|est)(?: (?:now|still|set to|currently))?:? {1,3}| (?:to|changed to|set to) | ?(?:是|为|為|设为|設為|改成|改为|改為)\\s{0,3}[:：]?\\s{0,3}))'
const ASSIGNED = new RegExp(
  `${NAME}["'\`*\\])]{0,4}${OF_WHAT}${CONNECTOR}(?<quote>["'\`“‘*_「]{0,3})(?<value>[^\\s"'\`“”‘’\\u3000-\\u9fff\\uff00-\\uffef]{4,300})`,
  'gi',
)
/** Flags whose next word is the secret. */
const FLAG = /--(?:password|passwd|token|api-key|secret)(?:=| +)["']?(?<value>[^\s"'`]{4,300})/g
const CURL_USER = /\s-u +["']?[\w.@-]{1,60}:(?<value>[^\s"'`]{4,100})/g
/** Chinese often puts the password right behind the word for it. */
const CHINESE_PASSWORD = /(?:密码|密碼|口令) ?(?<value>[A-Za-z0-9][\x21-\x7e]{5,100})/g
const SSHPASS = /\bsshpass +-p *["']?(?<value>[^\s"'`]{4,100})/g
/** Written right behind its name: "with secret wJal…", "the password Blue-Fish-42". */
const BARE_KEY = new RegExp(`(?<![\\w-])(?:${KEY_NAME}) (?<value>[\\w/+=.-]{20,300})(?![\\w/])`, 'gi')
const BARE_PASSWORD = new RegExp(
  `(?<![\\w-])(?:${PASSWORD_NAME}) ["'\`]?(?<value>[^\\s"'\`\\u3000-\\u9fff\\uff00-\\uffef]{8,100})`,
  'gi',
)
/** "login is admin / Qw3rty!99x", "credentials: deploy:Xy7!pQ2z" */
const LOGIN =
  /\b(?:log-?in|sign-?in|credentials?|creds)\b[^\n/:]{0,30}(?:: ?)?\b[\w.@-]{2,60} ?[/:] ?(?<value>[^\s"'`]{6,100})/gi
/** A PIN in capitals; "pin" in small letters is about versions. */
const PIN =
  /\bPIN(?: code)?(?: (?:for|of|to)(?: [\w-]{1,30}){1,4}?)?(?: is|:|=|：|是)?\s{0,3}(?<value>\d{4,8})(?!\w)/g
const BEARER = /\bBearer\s{1,3}(?<value>[\w.~+/=-]{16,4000})/g
const BASIC = /\bAuthorization["']?\s{0,3}[:=]\s{0,3}["']?Basic\s{1,3}(?<value>[A-Za-z0-9+/]{8,400}={0,2})/gi
const URL_WITH_PASSWORD =
  /(?<![a-z0-9+.-])(?<scheme>[a-z][a-z0-9+.-]{1,24}):\/\/(?<user>[^\s:@/]{0,100}):(?<value>[^\s@/]{1,200})@(?<host>[^\s/@:]{1,200})/gi
const DATABASE_SCHEME =
  /^(?:jdbc:)?(?:postgres|mysql|mariadb|mongodb|redis|valkey|mssql|sqlserver|oracle|cockroach|clickhouse|amqp|cassandra|neo4j|libsql)/i

/** Documented defaults of development set-ups; known to everyone, so nobody's secret. */
const WELL_KNOWN =
  /^(?:pass(?:word|wd)?|pwd|secret|admin|root|user(?:name)?|guest|test|postgres|mysql|token|key|string|none|null|undefined|true|false|required|optional|prompt|stdin|empty|hidden|unknown|value|input|text|number|boolean|default|invalid|expired|missing|wrong|correct)$/i

/** API keys and tokens shorter than this are names, counts or kinds more often than secrets. */
const MIN_KEY_LENGTH = 12
const MIN_PASSWORD_LENGTH = 6
const MIN_DISTINCT_CHARACTERS = 6

/** Secrets that are told by the words around them: assignments, headers, addresses with a password. */
export function assignedSecrets(text: string): SecretPlace[] {
  return [
    ...places(text, ASSIGNED, match => {
      const { password, key, value = '', verb, quote = '' } = match.groups ?? {}
      if (password === undefined) return looksLikeKey(value) ? `an assigned ${keyWord(key)}` : undefined
      const isQuotedOrEqual = /["'`“‘「]/.test(quote) || /=/.test(match.groups?.sign ?? '')
      const isLast = /^["'`”’*_」)]{0,3}[.,;。，]?\s*(?:\n|$)/.test(
        text.slice(endOf(match), endOf(match) + 8),
      )
      const strictness =
        verb === undefined && isQuotedOrEqual && isLast ? 'word' : isLast ? 'number' : 'mixed'
      return looksLikePassword(value, strictness) ? 'an assigned password' : undefined
    }),
    ...[FLAG, CURL_USER, SSHPASS, CHINESE_PASSWORD].flatMap(pattern =>
      places(text, pattern, match =>
        looksLikePassword(match.groups?.value ?? '', 'number') ? 'an assigned password' : undefined,
      ),
    ),
    ...places(text, BARE_KEY, match => {
      const value = match.groups?.value ?? ''
      return looksLikeKey(value) && isRandom(value) ? 'an assigned secret' : undefined
    }),
    ...[BARE_PASSWORD, LOGIN].flatMap(pattern =>
      places(text, pattern, match => {
        const value = trimmed(match.groups?.value ?? '')
        return looksLikePassword(value, 'mixed') && isMixed(value) ? 'an assigned password' : undefined
      }),
    ),
    ...places(text, PIN, () => 'a PIN'),
    ...places(text, BEARER, match =>
      looksLikeKey(match.groups?.value ?? '') ? 'a bearer token' : undefined,
    ),
    ...places(text, BASIC, match =>
      isStandIn(match.groups?.value ?? '') ? undefined : 'basic-auth credentials',
    ),
    ...places(text, URL_WITH_PASSWORD, match => {
      const { scheme = '', user = '', value = '' } = match.groups ?? {}
      if (value.length < 4 || value === user || isUrlStandIn(value)) return undefined
      return DATABASE_SCHEME.test(scheme) ? 'a database URL with a password' : 'a URL with a password'
    }),
  ]
}

function places(
  text: string,
  pattern: RegExp,
  kindOf: (match: RegExpExecArray) => string | undefined,
): SecretPlace[] {
  const found: SecretPlace[] = []
  for (const match of text.matchAll(pattern)) {
    const kind = kindOf(match)
    if (kind !== undefined) found.push({ kind, start: match.index, end: endOf(match) })
  }
  return found
}

function endOf(match: RegExpExecArray): number {
  return match.index + match[0].length
}

function keyWord(name = ''): string {
  if (/token|令牌/i.test(name)) return 'token'
  return /key|密钥|密鑰|秘钥/i.test(name) ? 'API key' : 'secret'
}

function looksLikeKey(written: string): boolean {
  const value = trimmed(written).split('&')[0] ?? ''
  return (
    value.length >= MIN_KEY_LENGTH &&
    /[A-Za-z]/.test(value) &&
    /\d/.test(value) &&
    /^[\w+/=.~:!@#$%^*-]+$/.test(value) &&
    new Set(value).size >= MIN_DISTINCT_CHARACTERS &&
    !isStandIn(value)
  )
}

/** As keys are made, and names are not: all of hex, or letters of both cases with digits all through. */
function isRandom(value: string): boolean {
  if (/^[0-9a-f]{32,}$/i.test(value)) return true
  return (
    /[a-z]/.test(value) &&
    /[A-Z]/.test(value) &&
    (value.length >= 32 || (value.match(/\d/g)?.length ?? 0) >= 2) &&
    !/^[a-z]+[./-]/.test(value)
  )
}

/** Letters, digits and signs together, as only passwords have them; a path, an address or a version has not. */
function isMixed(value: string): boolean {
  return (
    /[A-Za-z]/.test(value) &&
    /\d/.test(value) &&
    /[!@#$%^&*?~+=-]/.test(value) &&
    !/^[a-z]+(?:-[a-z]+)*-?\d*$|[/\\]|\.\w+$|^\d{4}-\d{2}/.test(value)
  )
}

/** How much a value must look like a password: letters with digits or signs, also digits only, or any word. */
function looksLikePassword(written: string, strictness: 'mixed' | 'number' | 'word'): boolean {
  const value = trimmed(written)
  if (WELL_KNOWN.test(value) || isStandIn(value)) return false
  if (/^\d+$/.test(value)) return strictness !== 'mixed' && value.length >= 4
  if (value.length < MIN_PASSWORD_LENGTH) return false
  const hasLetter = /[A-Za-z]/.test(value)
  if (hasLetter && (/\d/.test(value) || /[!@#$%^&*?~+=]/.test(value))) return true
  return strictness === 'word' && /^[A-Za-z]+$/.test(value)
}

/** In an address, `{`, `$` and the like begin a template; anything else that stands there is a password. */
function isUrlStandIn(value: string): boolean {
  return (
    WELL_KNOWN.test(value) ||
    /^[$%{<[*]|\$\{|\{\{/.test(value) ||
    /^(.)\1+$/.test(value) ||
    (isStandIn(value) && !/\d/.test(value))
  )
}

function trimmed(value: string): string {
  return value.replace(/[.,;:!?)\]}>*_`]+$/, run => (/^[!?]+$/.test(run) ? run : ''))
}
