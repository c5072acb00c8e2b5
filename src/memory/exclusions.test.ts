import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Exclusion, exclusionOf } from './exclusions.ts'

const AGENTS = `# Working here

- Run \`npm test\` before every commit, and never push a red build.
- Indent with **two spaces**; always use single quotes in TypeScript.

- Use pnpm, not npm.

Integration tests talk to a real database
because mocks have hidden a broken migration before.

所有提交信息都用英文书写，并且不超过七十二个字符。
`

function of(body: string, description = 'a note', name = 'Note'): Exclusion | undefined {
  return exclusionOf({ name, description, body }, [AGENTS])
}

const FUNCTION = `export function sum(values: number[]): number {
  let total = 0
  for (const value of values) {
    total += value
  }
  return total
}`

const EXCLUDED: Array<[kind: Exclusion['kind'], what: string, body: string]> = [
  [
    'git-history',
    'a diff',
    'diff --git a/x.ts b/x.ts\nindex 1a2b3c4..5d6e7f8 100644\n--- a/x.ts\n+++ b/x.ts\n@@ -1,2 +1,2 @@\n-const a = 1\n+const a = 2\n context',
  ],
  ['git-history', 'a diff in a fence', '```diff\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-old\n+new\n```'],
  [
    'git-history',
    'a log',
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8\nAuthor: A <a@b.c>\nDate:   Wed Apr 8 2026\n\n    Fix the parser\n',
  ],
  ['git-history', 'one line a commit', '9fceb02 Fix parser\n1a2b3c4 Add lexer\n77aa881 Remove cache'],
  [
    'git-history',
    'a graph',
    '* 9fceb02 (HEAD) Fix parser\n| * 1a2b3c4 Add lexer\n|/\n* 77aa881 Init\n* 88bb992 Start\n* 88bb993 More\n* 88bb994 a\n* 88bb995 b\n* 88bb996 c\n* 88bb997 d\n* 88bb998 e',
  ],
  [
    'git-history',
    'bullets with hashes',
    'Commits:\n- `9fceb02` fix parser\n- `1a2b3c4` add lexer\n- `77aa881` remove cache',
  ],
  ['git-history', 'conventional commits', '- feat: add lexer\n- fix(core): parser crash\n- docs: readme'],
  ['git-history', 'Chinese commits', '9fceb02 修复解析器\n1a2b3c4 增加词法分析\n77aa881 删除缓存'],
  ['code', 'a fenced function', `\`\`\`ts\n${FUNCTION}\n\`\`\``],
  ['code', 'a function with a caption', `The sum:\n\n\`\`\`\n${FUNCTION}\n\`\`\``],
  ['code', 'a bare function', FUNCTION],
  [
    'code',
    'Python',
    'def total(values):\n    result = 0\n    for value in values:\n        result += value\n    return result(values)',
  ],
  ['code', 'where something stands', 'The UserService class lives in src/services/user.ts.'],
  [
    'code',
    'what a file exports',
    '`src/index.ts` exports openMemory; the parser is defined in src/parse.py:40.',
  ],
  ['code', 'Chinese places', '登录函数在 src/auth/login.ts 中。src/index.ts 导出 openMemory。'],
  ['git-history', 'a fix', 'We fixed the null pointer in parser.ts by checking for undefined.'],
  ['git-history', 'what a commit did', 'Commit abc1234 fixed the login bug'],
  ['git-history', 'a Chinese fix', '修复了 parser.ts 里的空指针'],
  ['listing', 'paths', 'src/a.ts\nsrc/b.ts\nsrc/store/c.ts\nbin/run.ts'],
  ['listing', 'bulleted paths', 'Files:\n- `src/a.ts`\n- `src/b/`\n- `docs/guide.md`\n- `package.json`'],
  ['listing', 'a tree', '.\n├── src\n│   ├── a.ts\n│   └── b.ts\n├── bin\n└── README.md'],
  [
    'listing',
    'ls -l',
    '-rw-r--r-- 1 me me 12 Apr 8 10:00 a.ts\n-rw-r--r-- 1 me me 12 Apr 8 10:00 b.ts\ndrwxr-xr-x 2 me me 64 Apr 8 10:00 src\n-rw-r--r-- 1 me me 9 Apr 8 10:00 c.ts',
  ],
  ['instructions', 'a rule of AGENTS.md', 'Run npm test before every commit, and never push a red build.'],
  ['instructions', 'a short rule', 'Use pnpm, not npm.'],
  [
    'instructions',
    'a rule in other marks',
    '**Indent with two spaces**; always use *single quotes* in TypeScript',
  ],
  [
    'instructions',
    'two rules',
    'Integration tests talk to a real database because mocks have hidden a broken migration before.\n\nIndent with two spaces;',
  ],
  ['instructions', 'a Chinese rule', '所有提交信息都用英文书写，并且不超过七十二个字符。'],
  ['task-state', 'where the work stands', 'Currently editing line 40 of parser.ts, next step: run tests.'],
  [
    'task-state',
    'work in the middle',
    'In the middle of refactoring store.ts on branch x. Remaining steps: types, tests.',
  ],
  ['task-state', 'what comes next', 'I am currently working on the login form; next I have to write tests.'],
  ['task-state', 'a check list', '- [x] write parser\n- [ ] write tests\n- [ ] commit'],
  ['task-state', 'a check list with a title', '## Todo\n\n- [ ] a first thing\n- [x] another thing'],
  ['task-state', 'Chinese work', '正在修改 parser.ts 第 40 行，下一步：跑测试。'],
  ['task-state', 'a Chinese check list', '- [x] 写解析器\n- [ ] 写测试'],
]

const KEPT: string[] = [
  'Use tabs for indentation.',
  'The owner is a nurse who learns Rust in the evenings.',
  'Never commit to main.\n\n**Why:** releases are cut from it.\n**How to apply:** branch first.',
  'Incidents are tracked in the Linear project "PIPELINE".',
  'The dashboard is https://grafana.internal/d/latency; the on-call team looks at it.',
  'The release is frozen from 2026-04-09 until 2026-04-13.',
  'Start the dev server with:\n\n```sh\nnpm run dev\n```',
  '```bash\ndocker compose up -d\nnpm ci\nnpm run migrate\nnpm run seed\nnpm run dev\n```',
  'Deploy: `make deploy`, then watch `make logs`.',
  `\`\`\`ts\n${FUNCTION}\n\`\`\`\n\nWritten this way because reduce was slower in the hot loop.`,
  `The owner writes loops like this one, with named totals and without reduce:\n\n\`\`\`ts\n${FUNCTION}\n\`\`\``,
  'The regression came in with 9fceb02; the vendor confirmed it.',
  '9fceb02 broke the build because the lock file was stale\n1a2b3c4 fixed it\n77aa881 the test for it',
  '9fceb02 is the last good version\n1a2b3c4 is the first bad one',
  'build: npm run build\ntest: npm test\ndocs: https://docs.internal',
  '- Node.js\n- Vue.js\n- Next.js\n- D3.js',
  '- github.com/owner/a\n- github.com/owner/b\n- github.com/owner/c\n- gitlab.com/owner/d',
  '/mnt/nas/backups/db\n/mnt/nas/backups/files\n/mnt/nas/photos/raw\n/mnt/nas/photos/jpg',
  '- CI/CD\n- TCP/IP\n- I/O\n- A/B',
  'src/a.ts — the entry\nsrc/b.ts — kept for old clients\nsrc/c.ts — generated\nsrc/d.ts — by hand',
  'src/legacy/ is read-only: the auditors sign off every change there.',
  'src/a.ts\nsrc/b.ts',
  'The parser is in src/parse.ts. It was written by Ada in 1996.',
  'Settings for the staging cluster are in ops/staging.yaml.',
  'The login bug was fixed by the vendor in 2.4.',
  'We fixed the price at 40 euros.',
  'Commit messages are in English.',
  'I am currently working on my novel; next I have to write the ending.',
  'Use pnpm.',
  'Learned Go in 2019.',
  'Run npm test before every commit, and never push a red build. On Windows use WSL.',
  'npm test',
  'Two spaces.',
  'The team is currently working on the Postgres migration; it ends in 2026-Q3.',
  'Currently learning Japanese; next milestone is JLPT N3.',
  '- [ ] call the bank\nThe bank wants a form first.',
  '- [x] item',
  'Likes: dark mode, vim keys, short answers.',
  'key: value\nother: thing\nthird: one\nfourth: two\nfifth: three',
  '{\n  "editor": "vim",\n  "tabs": true,\n  "width": 100,\n  "theme": "dark"\n}',
  'Roses are red\nviolets are blue\nthe build is green\nand so are you\nthe end',
  '用户喜欢用制表符缩进。',
  '不要在周五上线。',
  '集成测试用真实数据库，因为模拟掩盖过一次失败的迁移。',
  '客户在柏林，时区是 UTC+2。',
  '9fceb02 修复解析器\n1a2b3c4 增加词法分析\n77aa881 删除缓存，因为它会返回旧数据',
  '监控面板在 grafana.internal，值班同事会看。',
  '团队正在迁移到 Postgres，第三季度完成。',
  '提交信息用英文。',
  '',
]

describe('exclusionOf', () => {
  test.each(EXCLUDED)('refuses as %s: %s', (kind, _what, body) => {
    const exclusion = of(body)
    expect(exclusion?.kind).toBe(kind)
    expect(exclusion?.reason).toMatch(/\?$/)
  })

  test.each(KEPT)('keeps %j', body => {
    expect(of(body)).toBeUndefined()
  })

  test.each(EXCLUDED.filter(([kind]) => kind !== 'instructions'))(
    'keeps %s with a reason: %s',
    (_kind, _what, body) => {
      expect(of(body, 'kept because the vendor asked for it')).toBeUndefined()
      expect(of(body, '因为供应商要求')).toBeUndefined()
      expect(of(`${body}\n\nWe decided this with the vendor.`)).toBeUndefined()
    },
  )

  test('a reason that the instructions do not give keeps what they say', () => {
    const body = 'Run npm test before every commit, and never push a red build.'
    expect(of(body, 'because the owner lost a weekend to it')).toBeUndefined()
    expect(of(body, 'never push a red build')?.kind).toBe('instructions')
    expect(of(body, 'Rule: never push a red build')?.kind).toBe('instructions')
    expect(exclusionOf({ name: 'n', description: 'd', body }, [])).toBeUndefined()
  })

  test('never throws, and never takes long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string()), (body, instructions) => {
        exclusionOf({ name: body, description: body, body }, instructions)
      }),
    )
    const started = performance.now()
    for (const piece of [
      'a',
      ' ',
      '- [ ] a\n',
      'src/a.ts\n',
      'a/',
      '9fceb02 a\n',
      'import a(',
      'currently editing ',
      '.',
      '正在修改',
    ]) {
      of(piece.repeat(Math.ceil(1_000_000 / piece.length)))
    }
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})
