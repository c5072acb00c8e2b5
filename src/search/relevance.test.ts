import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { FtsIndex } from './fts-index.ts'
import { clearlyRelevant, isClearlyRelevant } from './relevance.ts'

type Memory = [id: string, name: string, description: string, body?: string]

const WORKSHOP: Memory[] = [
  [
    'tabs',
    'Prefers tabs',
    'The owner indents with tabs, never spaces, in every language',
    'Use tabs for indentation.',
  ],
  [
    'ci',
    'CI runs on GitHub Actions',
    'The pipeline lints, builds and tests every push',
    'Windows runs only at night.',
  ],
  [
    'deploy',
    'No deploys on Friday',
    'Releases go out Monday to Thursday before 15:00',
    '**Why:** nobody is on call.',
  ],
  ['db', 'PostgreSQL 16 in production', 'Staging still has version 14', 'Migrations must run on both.'],
  ['pnpm', 'Uses pnpm', 'Never npm or yarn in this repository', 'The lock file is pnpm-lock.yaml.'],
  ['review', 'Small pull requests', 'Reviews are refused above 400 changed lines'],
  [
    'parser',
    'parseHTTPResponse2 is frozen',
    'Do not touch the legacy response parser',
    'Partners depend on its quirks.',
  ],
  ['coffee', 'Allergic to nuts', 'The owner cannot eat peanuts or almonds'],
  ['grafana', 'Latency dashboard', 'grafana.internal/d/api-latency is what on-call watches'],
  ['python', 'Python style', 'Type hints everywhere, black with line length 100'],
]

const CHINESE: Memory[] = [
  ['缩进', '缩进偏好', '我喜欢用制表符缩进'],
  ['部署', '部署时间', '周五不允许部署到生产环境'],
  ['咖啡', '口味', '主人喝咖啡不加糖'],
  ['数据库', '数据库版本', '生产环境用 PostgreSQL 16，测试环境还是 14'],
  ['评审', '代码评审', '合并请求超过四百行会被拒绝'],
]

const ONE: Memory[] = [['tabs', 'Prefers tabs', 'The owner indents with tabs, never spaces']]
const TWO: Memory[] = [...ONE, ['friday', 'No deploys on Friday', 'Releases go out Monday to Thursday']]
const SAME_WORD: Memory[] = [
  ['a', 'Deploy order', 'Deploy the gateway first'],
  ['b', 'Deploy window', 'Deploy before noon'],
  ['c', 'Deploy keys', 'Deploy keys are rotated in March'],
]

function recall(memories: Memory[], query: string): string[] {
  const index = new FtsIndex(new DatabaseSync(':memory:'), {
    name: 'memories',
    fields: { name: 3, description: 2, body: 1 },
  })
  index.put(
    memories.map(([id, name, description, body = '']) => ({ id, fields: { name, description, body } })),
  )
  return clearlyRelevant(index.search(query, { limit: 5 }).hits).map(({ id }) => id)
}

describe('finds', () => {
  test.each<[string, Memory[], string, string]>([
    ['a question in other forms of the words', WORKSHOP, 'how do I indent this file', 'tabs'],
    ['tabs or spaces', WORKSHOP, 'tabs or spaces?', 'tabs'],
    ['one telling word', WORKSHOP, 'indentation', 'tabs'],
    ['a request', WORKSHOP, 'please fix the indentation of main.py', 'tabs'],
    ['when to deploy', WORKSHOP, 'can we deploy on friday?', 'deploy'],
    ['a noun for the verb', WORKSHOP, 'is a deployment allowed on fridays', 'deploy'],
    ['releases', WORKSHOP, 'when do releases go out', 'deploy'],
    ['the pipeline', WORKSHOP, 'what does the pipeline do on every push?', 'ci'],
    ['an abbreviation', WORKSHOP, 'is CI on windows?', 'ci'],
    ['a database version', WORKSHOP, 'which postgresql version is in production', 'db'],
    ['migrations', WORKSHOP, 'write a migration for staging', 'db'],
    ['a package manager', WORKSHOP, 'should I use npm or pnpm here?', 'pnpm'],
    ['a whole identifier', WORKSHOP, 'parseHTTPResponse2', 'parser'],
    ['an identifier in a sentence', WORKSHOP, 'refactor parseHTTPResponse2 please', 'parser'],
    ['parts of an identifier', WORKSHOP, 'http response', 'parser'],
    ['the same identifier in another spelling', WORKSHOP, 'parse_http_response', 'parser'],
    ['food', WORKSHOP, 'can I put almonds in the cake?', 'coffee'],
    ['a dotted path', WORKSHOP, 'what is on grafana.internal?', 'grafana'],
    ['a dashboard', WORKSHOP, 'where is the latency dashboard', 'grafana'],
    ['style', WORKSHOP, 'black line length for python', 'python'],
    ['type hints', WORKSHOP, 'do we want type hints', 'python'],
    ['pull requests', WORKSHOP, 'how large may pull requests be?', 'review'],
    ['the only memory', ONE, 'tabs or spaces', 'tabs'],
    ['the only memory, one word', ONE, 'how should I indent?', 'tabs'],
    ['one of two', TWO, 'may I deploy on a Friday', 'friday'],
    ['words that every memory has', SAME_WORD, 'deploy keys', 'c'],
    ['Chinese words with a space', CHINESE, '缩进 偏好', '缩进'],
    ['a Chinese sentence', CHINESE, '怎么缩进这个文件？', '缩进'],
    ['a Chinese question', CHINESE, '周五可以部署吗？', '部署'],
    ['Chinese and English', CHINESE, '生产环境的 PostgreSQL 是什么版本', '数据库'],
    ['English in Chinese memories', CHINESE, 'postgresql version', '数据库'],
    ['coffee in Chinese', CHINESE, '咖啡要加糖吗', '咖啡'],
    ['a review in Chinese', CHINESE, '代码评审的规则', '评审'],
    ['the only Chinese memory', [['缩进', '缩进', '我喜欢用制表符缩进']], '制表符', '缩进'],
  ])('%s', (_, memories, query, expected) => {
    expect(recall(memories, query)[0]).toBe(expected)
  })
})

describe('finds nothing for', () => {
  test.each<[string, Memory[], string]>([
    ['the weather', WORKSHOP, "what's the weather in Paris"],
    ['small talk', WORKSHOP, 'thanks, that was great!'],
    ['stop words', WORKSHOP, 'what is it that they do?'],
    ['a greeting', WORKSHOP, 'hello'],
    ['an everyday word in common', WORKSHOP, 'run it'],
    ['another everyday word', WORKSHOP, 'change the type of this file'],
    ['one word of many', WORKSHOP, 'what shall we cook for dinner on friday evening with the children'],
    ['a word with another meaning', WORKSHOP, 'book a flight to Berlin and a hotel near production studios'],
    ['an unrelated task', WORKSHOP, 'translate this poem about autumn leaves into French'],
    ['an unrelated bug', WORKSHOP, 'the login button overlaps the footer on mobile screens'],
    ['numbers', WORKSHOP, 'add 17 and 25'],
    ['nothing', WORKSHOP, ''],
    ['punctuation', WORKSHOP, '?!… "*" AND NOT ('],
    ['a stranger to the only memory', ONE, "what's the weather in Paris"],
    ['the only memory and one shared word', ONE, 'who owns the spaces station documentary film rights'],
    ['a stranger to two', TWO, 'compile the kernel with clang'],
    ['a stranger in Chinese', CHINESE, '今天巴黎天气怎么样'],
    ['Chinese particles', CHINESE, '这是什么？'],
    ['Chinese everyday words', CHINESE, '我喜欢音乐'],
    ['a Chinese question about something else', CHINESE, '帮我写一首关于秋天的诗'],
    ['English among Chinese', CHINESE, 'translate this poem'],
    ['an empty store', [], 'tabs'],
  ])('%s', (_, memories, query) => {
    expect(recall(memories, query)).toEqual([])
  })
})

test.each([
  ['about half of the question', { coverage: 0.46, distinctive: 1 }, true],
  ['less than half with one word', { coverage: 0.44, distinctive: 1 }, false],
  ['a third with two words', { coverage: 0.34, distinctive: 2 }, true],
  ['less than a third', { coverage: 0.3, distinctive: 2 }, false],
  ['everything, but all of it everyday words', { coverage: 1, distinctive: 0 }, false],
  ['its own name', { coverage: 0.28, distinctive: 2, bestField: { name: 'name', share: 0.7 } }, true],
  [
    'its own name by one word in passing',
    { coverage: 0.15, distinctive: 1, bestField: { name: 'name', share: 1 } },
    false,
  ],
])('a hit that covers %s', (_, hit, expected) => {
  expect(isClearlyRelevant(hit)).toBe(expected)
})

test('a hit far behind the best is left out', () => {
  const hits = [10, 5, 1].map(score => ({ score, coverage: 1, distinctive: 1 }))
  expect(clearlyRelevant(hits).map(({ score }) => score)).toEqual([10, 5])
})
