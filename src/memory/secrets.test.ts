import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findSecrets, secretMessage, withoutSecrets } from './secrets.ts'

// Made up at run time, so that scanners of this repository find nothing here.
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
const ALPHABET = `${LETTERS}0123456789`
function random(length: number, alphabet = ALPHABET): string {
  let seed = length * 7919 + alphabet.length
  return Array.from({ length }, (_, at) => {
    seed = (seed * 1_103_515_245 + 12_345 + at) % 2_147_483_648
    return alphabet.charAt(Math.floor(seed / 65_536) % alphabet.length)
  }).join('')
}
const hex = (length: number) => random(length, '0123456789abcdef')
const capitals = (length: number) => random(length, 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789')
const pem = (label: string, start: string) =>
  [
    `-----BEGIN ${label}`,
    '-----',
    '\n',
    start,
    random(60),
    '\n',
    random(64),
    '\n',
    random(64),
    '\n',
    `-----END ${label}`,
    '-----',
  ].join('')

const SECRETS: Array<[kind: string, text: string]> = [
  ['an assigned secret', `The bot uses secret ${random(40)}7a for the bucket.`],
  ['an assigned password', 'Log in with password Tr0ub4dor&3 on the console.'],
  ['an assigned password', 'The login is admin / Qw3rty!99x on the router.'],
  ['an assigned password', 'Passwort für den Drucker: Geheim#2024'],
  ['a PIN', 'The PIN for the safe is 4921.'],
  ['a webhook secret', ['whsec', random(32)].join('_')],
  ['an Anthropic API key', ['sk-ant', `api03-${random(93)}AA`].join('-')],
  ['an Anthropic API key', ['sk-ant', `admin01-${random(93)}AA`].join('-')],
  ['an Anthropic access token', ['sk-ant', `oat01-${random(93)}AA`].join('-')],
  ['an OpenRouter API key', ['sk-or', 'v1', hex(64)].join('-')],
  ['an OpenAI API key', ['sk-proj', `${random(74)}T3BlbkFJ${random(74)}`].join('-')],
  ['an OpenAI API key', ['sk-svcacct', random(60)].join('-')],
  ['an API key', ['sk', hex(32)].join('-')],
  ['a Google API key', ['AI', `zaSy${random(33)}`].join('')],
  ['a Google OAuth secret', ['GOCSPX', random(28)].join('-')],
  ['a Hugging Face token', ['hf', random(34, LETTERS)].join('_')],
  ['a GitLab token', ['glpat', random(20)].join('-')],
  ['a GitLab token', ['gldt', random(20)].join('-')],
  ['a GitHub token', ['ghp', random(36)].join('_')],
  ['a GitHub token', ['github_pat', `${random(22)}_${random(59)}`].join('_')],
  ['a Slack token', ['xoxb', random(12, '123456789'), random(12, '123456789'), random(24)].join('-')],
  ['a Discord bot token', [`M${random(25)}`, random(6), random(38)].join('.')],
  ['a Discord webhook', ['https://discord.com/api', 'webhooks', '123456789012345678', random(68)].join('/')],
  ['a Telegram bot token', ['123456789', `AA${random(33)}`].join(':')],
  ['a SendGrid API key', ['SG', random(22), random(43)].join('.')],
  ['a Twilio API key', ['S', 'K', hex(32)].join('')],
  ['a Mailgun API key', ['key', hex(32)].join('-')],
  ['a DigitalOcean token', ['dop', 'v1', hex(64)].join('_')],
  ['an Azure storage key', ['AccountName=x;Account', `Key=${random(86)}==`].join('')],
  ['an AWS access key', ['the id is AK', `IA${capitals(16)}`].join('')],
  ['an AWS access key', ['aws_secret_access', `_key = ${random(40)}`].join('')],
  ['an npm token', ['npm', random(36)].join('_')],
  ['a Stripe key', ['sk', 'live', random(24)].join('_')],
  ['a Groq API key', ['gsk', random(52)].join('_')],
  ['a Linear API key', ['lin', 'api', random(40)].join('_')],
  ['a Docker token', ['dckr', 'pat', random(27)].join('_')],
  ['a Figma token', ['figd', random(40)].join('_')],
  ['a Databricks token', ['dapi', hex(32)].join('')],
  ['an xAI API key', ['xai', random(80)].join('-')],
  ['a Replicate token', ['r8', random(37)].join('_')],
  ['a PyPI token', ['pypi', random(80)].join('-')],
  ['an Alibaba Cloud access key', ['LT', `AI5t${random(18)}`].join('')],
  ['a JSON Web Token', [`eyJ${random(20)}`, `eyJ${random(40)}`, random(43)].join('.')],
  ['a private key', pem('RSA PRIVATE KEY', 'MIIE')],
  ['a private key', pem('EC PRIVATE KEY', 'MHcC')],
  ['a private key', pem('PRIVATE KEY', 'MC4C')],
  ['a private key', pem('OPENSSH PRIVATE KEY', 'b3Bl')],
  ['a private key', pem('PGP PRIVATE KEY BLOCK', 'lQdG')],
  ['a private key', pem('ENCRYPTED PRIVATE KEY', 'MIIF')],
  ['an assigned password', 'password = Tr0ub4dor'],
  ['an assigned password', 'password: s3cr3t!x'],
  ['an assigned password', 'passwd: kx9#mmq2'],
  ['an assigned password', 'DB_PASSWORD="swordfish"'],
  ['an assigned password', '"password": "Kx9mmq2z",'],
  ['an assigned password', '- **Password**: Kx9mmq2z'],
  ['an assigned password', 'The password for the staging box is hunter2'],
  ['an assigned password', 'he changed the password to Kx9-mm!q'],
  ['an assigned password', 'wifi password: 48151623'],
  ['an assigned password', 'psql --password Kx9mmq2z'],
  ['an assigned password', 'curl -u admin:Kx9mmq2z https://ci.internal'],
  ['an assigned password', '密码是 Kx9mmq2z'],
  ['an assigned password', '数据库密码：abc12345'],
  ['an assigned password', '密碼為 Kx9mmq2z'],
  ['an assigned password', 'WiFi密码12345678'],
  ['an assigned password', '密码是abc12345的'],
  ['an assigned password', "sshpass -p 'Kx9mmq2z' ssh host"],
  ['a PIN', 'The PIN is 4821'],
  ['an assigned API key', `api_key: ${hex(32)}`],
  ['an assigned API key', `STRIPE_API_KEY=${random(32)}`],
  ['an assigned API key', `密钥：${random(32)}`],
  ['an assigned secret', `client_secret = "${random(40)}"`],
  ['an assigned secret', `secret=${random(24)}`],
  ['an assigned token', `token: ${random(40)}`],
  ['an assigned token', `https://hook.internal/x?token=${random(24)}&a=1`],
  ['an assigned token', `Twilio auth token: ${hex(32)}`],
  ['a bearer token', `Authorization: Bearer ${random(40)}`],
  ['basic-auth credentials', `Authorization: Basic ${random(24)}==`],
  ['a URL with a password', 'https://bob:Kx9mmq2z@git.internal/repo'],
  ['a database URL with a password', 'postgres://app:Kx9mmq2z@db.internal:5432/app'],
  ['a database URL with a password', 'mongodb+srv://app:p%40ss9@cluster0.abc.mongodb.net/x'],
  ['a database URL with a password', 'redis://:Kx9mmq2z@cache.internal:6379'],
]

const HARMLESS: string[] = [
  'The secret store is HashicorpVault2.',
  'Token TokenRefreshService2 handles refresh.',
  'The password policy-2024 is in the handbook.',
  'The login page is at shop/login.',
  'The secret is to rest the dough for 12 hours.',
  'The password is stored in 1Password',
  'password: see the vault',
  'Password: 1Password',
  'password: <password>',
  `password = \${PASSWORD}`,
  'PASSWORD=$DB_PASSWORD',
  'password: xxxx',
  'password=xxxxxxxxxxxx',
  'password: your-password',
  'password = changeme',
  'password: ********',
  'password: process.env.DB_PASSWORD',
  'password = os.environ["DB_PASSWORD"]',
  'password = getPassword(user1)',
  'password: string',
  'password: z.string().min(8)',
  'password: required',
  'The password is required',
  'The password was rotated on 2026-04-07',
  'Password: rotated 2026-04-07',
  'passwords: bcrypt, never md5',
  'password: argon2id',
  'password: 12+ characters',
  'The password must be at least 12 characters',
  'api_key: {{ secrets.API_KEY }}',
  'api_key: see the README',
  'API_KEY=your_api_key_here_12345',
  'api key: kept in ~/.config/reverie/keys.json',
  'secret: db-credentials-v2',
  'secretName: projects/42/secrets/db-pass/versions/3',
  'secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:db',
  'client_secret: op://Private/db/password',
  'token: 128000',
  'max_tokens: 4096',
  'The token is refreshed every 15 minutes',
  'token: jwt, signed with RS256',
  'tokenizer = cl100k_base',
  'Uses Bearer tokens in the Authorization header',
  'Authorization: Bearer <token>',
  'Authorization: Bearer $TOKEN',
  'Fixed in 9fceb02d0ae598e95dc970b74767f19372d61af8',
  'commit 9fceb02',
  'id 550e8400-e29b-41d4-a716-446655440000',
  'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  `sha512-${'Qm'.repeat(43)}==`,
  `![](data:image/png;base64,iVBORw0KGgo${'AAAANSUhEUgAAAAEAAAAB'.repeat(4)})`,
  'https://user:pass@example.com',
  'postgres://postgres:postgres@localhost:5432/app',
  'postgres://user:password@host/db',
  `postgres://app:\${DB_PASSWORD}@db/app`,
  'mysql://root:<password>@localhost',
  'ssh://git@github.com/owner/repo.git',
  'https://example.com:8080/a@b',
  'An id such as AKIAIOSFODNN7EXAMPLE',
  'AWS account id: 123456789012',
  'Key files begin with -----BEGIN OPENSSH PRIVATE KEY-----',
  'Keys look like sk-ant-api03-...',
  'Tokens start with ghp_ or github_pat_',
  'hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'pass: 12/12 tests',
  'compass: north42west',
  'Use tabs for indentation, never spaces.',
  'feedback_integration_tests_use_a_real_database.md',
  'pin: 24.1.0',
  'ssh-ed25519 public keys are in ~/.ssh',
  'The pwd is /home/me/project2',
  '密码存在 1Password 里',
  '密码：见保险箱',
  '密码8位以上，密码12位随机',
  '密码=string',
  'token: refresh_token_v2_endpoint',
  '密码是由运维管理的',
  '密码是必填项',
  '令牌每15分钟刷新一次',
  '密钥在环境变量 API_KEY 里',
  '喜欢用制表符缩进',
]

describe('findSecrets', () => {
  test.each(SECRETS)('finds %s', async (kind, text) => {
    expect(await findSecrets(`A note.\n\n${text}\nMore.`)).toEqual([{ kind, line: 3 }])
  })

  test.each(HARMLESS)('leaves %s', async text => {
    expect(await findSecrets(text)).toEqual([])
  })

  test('names each kind once a line, in order', async () => {
    const key = ['ghp', random(36)].join('_')
    expect(await findSecrets(`password: Kx9mmq2z\n${key} ${key}\ntoken: ${key}`)).toEqual([
      { kind: 'an assigned password', line: 1 },
      { kind: 'a GitHub token', line: 2 },
      { kind: 'a GitHub token', line: 3 },
    ])
  })

  test('cannot be switched off from within the text', async () => {
    const text = `<!-- secretlint-disable -->\n${['npm', random(36)].join('_')}\n<!-- secretlint-disable-next-line -->`
    expect(await findSecrets(text)).toEqual([{ kind: 'an npm token', line: 2 }])
  })

  test('never throws, and every line is within the text', async () => {
    const pieces = fc.constantFrom(
      ...SECRETS.map(([, text]) => text),
      ...HARMLESS,
      '\n',
      '\r\n',
      ' ',
      'password',
      ':',
      '=',
      '://',
      '@',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map(parts => parts.join('')),
    )
    await fc.assert(
      fc.asyncProperty(text, async written => {
        const lines = written.split('\n').length
        for (const { line } of await findSecrets(written)) {
          expect(line).toBeGreaterThanOrEqual(1)
          expect(line).toBeLessThanOrEqual(lines)
        }
      }),
      { numRuns: 300 },
    )
  })

  test.each([
    'a',
    'password ',
    'password for a ',
    'password: ',
    'password:::',
    'token=a1',
    'eyJ',
    'eyJabcdefgh.',
    'a://',
    'a://b:',
    'sk-ant-api03-',
    `SG.a.${'a'.repeat(257)} `,
    'ghs_1_',
    'xoxb-1-',
    '-----BEGIN PRIVATE KEY-----',
    'Bearer a',
    'https://',
    '密码是',
    '\n',
    '0123456789abcdef',
  ])('a megabyte of %j takes seconds at most', async piece => {
    const started = performance.now()
    await findSecrets(piece.repeat(Math.ceil(1_000_000 / piece.length)))
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

describe('withoutSecrets', () => {
  const TOKEN = `ghp_${'a1B2c3D4'.repeat(5)}`
  test.each<[text: string, clean: string]>([
    ['I like tea.', 'I like tea.'],
    ['My password is hunter2hunter2, by the way.', 'My [an assigned password, not kept] by the way.'],
    [`${TOKEN} twice ${TOKEN}`, '[a GitHub token, not kept] twice [a GitHub token, not kept]'],
    [
      `a\n-----BEGIN PRIVATE KEY-----\n${'MIIB'.repeat(30)}\n-----END PRIVATE KEY-----\nb`,
      'a\n[a private key, not kept]\nb',
    ],
  ])('%j', async (text, clean) => {
    expect(await withoutSecrets(text)).toBe(clean)
    expect(await findSecrets(await withoutSecrets(text))).toEqual([])
  })
})

describe('secretMessage', () => {
  test('says what, where, and what to do instead', () => {
    expect(secretMessage([{ kind: 'a private key', line: 3 }])).toBe(
      'This looks like it contains a private key on line 3, so nothing was saved. Say where the secret is kept (a password manager, an environment variable), not what it is.',
    )
  })

  test('counts what it does not name', () => {
    const found = Array.from({ length: 5 }, (_, at) => ({ kind: 'a PIN', line: at + 1 }))
    expect(secretMessage(found)).toContain('a PIN on line 1, a PIN on line 2, a PIN on line 3, and 2 more')
    expect(secretMessage([])).toBe('')
  })
})
