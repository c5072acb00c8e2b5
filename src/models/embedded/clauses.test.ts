import { expect, test } from 'vitest'
import { clausesOf } from './clauses.ts'

const CASES: Array<[sentence: string, clauses: string[]]> = [
  ['I prefer tabs', ['I prefer tabs']],
  ['I prefer tabs, so please reformat the file', ['I prefer tabs', 'so please reformat the file']],
  ['I prefer tabs, can you fix that?', ['I prefer tabs', 'can you fix that?']],
  ['I prefer tabs, remember that', ['I prefer tabs', 'remember that']],
  ['Fix the indentation, I prefer tabs', ['Fix the indentation', 'I prefer tabs']],
  ["I'm an engineer and I prefer Go", ["I'm an engineer", 'and I prefer Go']],
  ['we use pnpm, not npm', ['we use pnpm, not npm']],
  ['what can you do?', ['what can you do?']],
  ['From now on, please use tabs', ['From now on, please use tabs']],
  ['As a user, I prefer tabs', ['As a user, I prefer tabs']],
  ['If I use tabs, I prefer vim', ['If I use tabs, I prefer vim']],
  ['He says I use tabs and I like vim', ['He says I use tabs and I like vim']],
  ['I told him I use tabs and I like vim', ['I told him I use tabs and I like vim']],
  ['我喜欢制表符,记住。', ['我喜欢制表符', '记住。']],
  ['我喜欢制表符，请改一下', ['我喜欢制表符', '请改一下']],
  ['我是后端工程师,我喜欢 Go', ['我是后端工程师', '我喜欢 Go']],
  ['他说我是工程师,我喜欢 Go', ['他说我是工程师,我喜欢 Go']],
  ['作为用户,我喜欢深色', ['作为用户,我喜欢深色']],
]

test.each(CASES)('%j', (sentence, clauses) => {
  expect(clausesOf(sentence)).toEqual(clauses)
})
