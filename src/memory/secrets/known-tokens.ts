import { isStandInToken } from './placeholder.ts'

/** One stretch of a text that is a secret. */
export interface SecretPlace {
  kind: string
  start: number
  end: number
}

/**
 * Tokens that can be told by their shape and that secretlint's recommended rules miss or know in one
 * length only. Every pattern starts at the beginning of a run of token characters and is bounded, so
 * that a hostile megabyte costs one pass.
 */
const SHAPES: ReadonlyArray<[kind: string, shape: RegExp]> = [
  ['an Anthropic access token', /sk-ant-oat\d{0,2}-[\w-]{20,300}/],
  ['an Anthropic API key', /sk-ant-(?:api|admin|sid|ort)\d{0,2}-[\w-]{20,300}/],
  ['an OpenRouter API key', /sk-or-v1-[0-9a-f]{32,80}/],
  ['an OpenAI API key', /sk-(?:proj|svcacct|admin)-[\w-]{20,300}/],
  ['an API key', /sk-(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{32,64}(?![\w-])/],
  ['a Google API key', /AIza[\w-]{35}(?![\w-])/],
  ['a Google OAuth secret', /GOCSPX-[\w-]{20,60}|ya29\.[\w-]{20,300}/],
  ['a Hugging Face token', /hf_[A-Za-z0-9]{30,60}(?!\w)/],
  ['a GitLab token', /gl(?:pat|dt|ptt|rt|soat|ft|cbt|agent|oas)-[\w.-]{20,128}/],
  ['a GitHub token', /gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_\w{50,255}/],
  ['a Slack token', /xox[a-z](?:\.xox[a-z])?-[\w-]{20,300}|xapp-\d-[\w-]{20,300}/],
  ['a Discord bot token', /[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/],
  ['a Discord webhook', /discord(?:app)?\.com\/api\/webhooks\/\d{16,20}\/[\w-]{40,100}/],
  ['a Telegram bot token', /\d{8,10}:[A-Za-z][\w-]{34}(?![\w-])/],
  ['a webhook secret', /whsec_[A-Za-z0-9+/=]{24,}/],
  ['a SendGrid API key', /SG\.[\w-]{16,32}\.[\w-]{32,64}/],
  ['a Twilio API key', /SK[0-9a-f]{32}(?!\w)/],
  ['a Mailgun API key', /key-[0-9a-f]{32}(?!\w)/],
  ['a DigitalOcean token', /do[opr]_v1_[0-9a-f]{64}/],
  ['an Azure storage key', /(?:Account|SharedAccess)Key=[A-Za-z0-9+/]{42,90}={1,2}/],
  ['an Alibaba Cloud access key', /LTAI[A-Za-z0-9]{12,26}(?!\w)/],
  ['a Tencent Cloud secret id', /AKID[A-Za-z0-9]{32}(?!\w)/],
  ['an xAI API key', /xai-[A-Za-z0-9]{40,120}/],
  ['a Perplexity API key', /pplx-[A-Za-z0-9]{40,80}/],
  ['a Replicate token', /r8_[A-Za-z0-9]{37,40}(?!\w)/],
  ['a Tavily API key', /tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,60}/],
  ['a Supabase token', /sbp_[0-9a-f]{40}/],
  ['a PyPI token', /pypi-[\w-]{50,300}/],
  ['a RubyGems API key', /rubygems_[0-9a-f]{48}/],
  ['a New Relic key', /NRAK-[A-Z0-9]{27}/],
  ['a Postman API key', /PMAK-[0-9a-f]{24}-[0-9a-f]{34}/],
  ['an Airtable token', /pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/],
  ['an Atlassian API token', /ATATT3[\w=-]{60,300}/],
  ['a Sentry token', /sntr[yu]s_[\w+/=-]{40,300}/],
  ['a PlanetScale credential', /pscale_(?:tkn|pw|oauth)_[\w.-]{32,64}/],
  ['a Doppler token', /dp\.(?:pt|st|ct|sa)\.[\w.-]{40,64}/],
  ['an age secret key', /AGE-SECRET-KEY-1[0-9A-Z]{58}/],
  ['a JSON Web Token', /eyJ[\w-]{8,4000}\.eyJ[\w-]{8,8000}\.[\w-]{8,2000}/],
]

const SHAPE_PATTERNS = SHAPES.map(([kind, shape]): [string, RegExp] => [
  kind,
  new RegExp(`(?<![\\w-])(?:${shape.source})`, 'g'),
])

const PRIVATE_KEY_HEAD = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:/g
/** Key material must follow closely; a header that is only talked about is not a key. */
const KEY_MATERIAL = /[A-Za-z0-9+/=]{32,}/
const KEY_MATERIAL_REACH = 600
/** How far a key goes at most; the longest in use have some 13,000 characters. */
const LONGEST_KEY = 16_000
const PRIVATE_KEY_TAIL = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/

export function knownTokens(text: string): SecretPlace[] {
  const places: SecretPlace[] = []
  for (const [kind, pattern] of SHAPE_PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      if (isStandInToken(match[0])) continue
      places.push({ kind, start: match.index, end: match.index + match[0].length })
    }
  }
  for (const match of text.matchAll(PRIVATE_KEY_HEAD)) {
    const head = match.index + match[0].length
    if (!KEY_MATERIAL.test(text.slice(head, head + KEY_MATERIAL_REACH))) continue
    const end = head + keyLength(text.slice(head, head + LONGEST_KEY))
    places.push({ kind: 'a private key', start: match.index, end })
  }
  return places
}

/** Up to its last line, or where that is missing up to the last that looks like a key. */
function keyLength(text: string): number {
  const tail = PRIVATE_KEY_TAIL.exec(text)
  if (tail) return tail.index + tail[0].length
  return [...text.matchAll(new RegExp(KEY_MATERIAL, 'g'))].reduce(
    (_, { index, 0: material }) => index + material.length,
    0,
  )
}
