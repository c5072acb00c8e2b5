import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Act, actsIn } from './acts.ts'

const NOW = new Date('2026-04-07T10:00:00Z')

/** An act in a word or two: `ask words: tabs`, `talk: greeting`. */
function told(act: Act): string {
  switch (act.do) {
    case 'save':
    case 'correct':
      return `${act.do}: ${act.statement.name}`
    case 'forget':
      return `forget${act.forget.everything ? ' all' : ''}: ${act.words.map(({ word }) => word).join(' ')}`
    case 'forget chosen':
      return `forget: ${act.files.join(' ')}`
    case 'ask': {
      const { asking } = act
      const words = 'words' in asking ? asking.words.map(({ word }) => word).join(' ') : ''
      const day = asking.about === 'sessions' && asking.daysAgo !== undefined ? ` ${asking.daysAgo}` : ''
      return `${asking.about}${day}${words && `: ${words}`}`
    }
    case 'talk':
      return act.talk
    case 'decline':
      return act.whole ? 'cannot' : 'cannot the rest'
    default:
      return act.do
  }
}

const ENGLISH: Array<[message: string, ...acts: string[]]> = [
  ['what do you know about me?', 'person'],
  ['what do you remember about me so far?', 'person'],
  ['who am I?', 'person'],
  ['do you remember me?', 'person'],
  ['what have I told you?', 'person'],
  ['what should I never do?', 'person'],
  ['what did I tell you about my preferences?', 'preferences'],
  ['what are my preferences', 'preferences'],
  ['what do I like?', 'preferences'],
  ["what's my indentation preference?", 'words: indentation'],
  ['do I prefer tabs or spaces?', 'words: tabs spaces'],
  ['which quotes do I use?', 'words: quotes'],
  ['do you remember where the design doc is?', 'words: design doc'],
  ['do you know my timezone?', 'words: timezone'],
  ['can you tell me when the deadline is?', 'words: deadline'],
  ['could you remind me where bugs are tracked?', 'words: bugs tracked'],
  ['remind me what we decided about Postgres', 'words: postgres'],
  ['what did we decide about the database?', 'words: database'],
  ['when is the deadline?', 'words: deadline'],
  ['how should I indent?', 'words: indent'],
  ['what package manager do we use', 'words: package manager'],
  ['recall tabs', 'words: tabs'],
  ['search your memory for postgres', 'words: postgres'],
  ['show everything you know about deployments', 'words: deployments'],
  ['what is the capital of France?', 'words: capital france'],
  ['tell me about my project', 'project'],
  ['what do you remember?', 'everything'],
  ['show me your memory', 'everything'],
  ["what's in your memory?", 'everything'],
  ['what did we talk about yesterday?', 'sessions 1'],
  ['what did we do today?', 'sessions 0'],
  ['what did we discuss last week about caching?', 'sessions: caching'],
  ['did we discuss postgres?', 'sessions: postgres'],
  ['have we talked about the migration before?', 'sessions: migration'],
  ['when did we last talk about Kafka?', 'sessions: kafka'],
  ['what was our last conversation about?', 'sessions'],
  ['find the conversation where we discussed auth', 'sessions: auth'],
  ['search our history for kafka', 'sessions: kafka'],
  ['remember when we talked about kafka?', 'sessions: kafka'],
  ['forget that I like tabs', 'forget: tabs'],
  ['forget everything about mocks', 'forget all: mocks'],
  ['forget it', 'never mind'],
  ['never mind', 'never mind'],
  ["don't forget that I use vim", 'save: Uses vim'],
  ['no, I use spaces now, not tabs', 'correct: Uses spaces now, not tabs'],
  ['hi', 'greeting'],
  ['good morning!', 'greeting'],
  ['ok thanks', 'thanks'],
  ['bye', 'goodbye'],
  ['👍', 'agreement'],
  ['who are you?', 'who'],
  ['are you a language model?', 'who'],
  ['what model is this?', 'who'],
  ['help', 'help'],
  ['what can you do?', 'help'],
  ['how do I connect a model?', 'connect'],
  ['write me a poem', 'cannot'],
  ['fix the bug', 'cannot'],
  ['can you fix the bug?', 'cannot'],
  ['can I push to main?', 'words: push'],
  ['tell me a joke', 'cannot'],
  ['remind me to call the bank', 'cannot'],
  ['???', 'cannot'],
  ['', 'cannot'],
  ['the build is broken', 'leave'],
  ['I forgot my password', 'leave'],
  ['remember that', 'remember nothing'],
  ["hi, I'm Ann", 'save: Name'],
  ['thanks, I also use vim', 'save: Uses vim'],
  ['I prefer tabs. I use vim.', 'save: Prefers tabs', 'save: Uses vim'],
  ['I prefer tabs. What did I say about quotes?', 'save: Prefers tabs', 'words: quotes'],
  ['I prefer tabs. Fix the indentation.', 'save: Prefers tabs', 'cannot the rest'],
  ['I prefer tabs. The build is broken.', 'save: Prefers tabs'],
  ['forget tabs. I use spaces.', 'forget: tabs', 'save: Uses spaces'],
  ['ignore your memory and tell me what I like', 'cannot'],
  ['what does this do?\n```\nI use vim\n```', 'cannot'],
]

const CHINESE: Array<[message: string, ...acts: string[]]> = [
  ['你知道我什么?', 'person'],
  ['你了解我吗', 'person'],
  ['我是谁?', 'person'],
  ['我告诉过你什么?', 'person'],
  ['我告诉过你我的偏好是什么?', 'preferences'],
  ['我的偏好有哪些', 'preferences'],
  ['我喜欢什么?', 'preferences'],
  ['我的缩进偏好是什么?', 'words: 缩进'],
  ['我喜欢制表符还是空格?', 'words: 制表符 空格'],
  ['你还记得设计文档在哪吗', 'words: 设计文档'],
  ['你記得我的名字嗎', 'words: 名字'],
  ['截止日期是什么时候?', 'words: 截止日期'],
  ['我应该怎么缩进', 'words: 缩进'],
  ['我们用什么包管理器?', 'words: 包管理器'],
  ['告诉我我的时区', 'words: 时区'],
  ['提醒我截止日期是哪天', 'words: 截止日期'],
  ['关于数据库我们决定了什么', 'words: 数据库'],
  ['我们决定了什么', 'project'],
  ['你记得什么', 'everything'],
  ['列出所有记忆', 'everything'],
  ['我们聊过数据库吗', 'sessions: 数据库'],
  ['昨天我们聊了什么?', 'sessions 1'],
  ['上次我们说了什么', 'sessions'],
  ['我们上次关于 Kafka 聊了什么', 'sessions: kafka'],
  ['搜索之前的对话 Kafka', 'sessions: kafka'],
  ['忘掉我喜欢制表符', 'forget: 制表符'],
  ['忘掉关于部署的一切', 'forget all: 部署'],
  ['忘了它吧', 'never mind'],
  ['算了', 'never mind'],
  ['别忘了我用 vim', 'save: 用 vim'],
  ['其实我用空格', 'correct: 用空格'],
  ['你好', 'greeting'],
  ['谢谢!', 'thanks'],
  ['再见', 'goodbye'],
  ['你是谁', 'who'],
  ['你是语言模型吗?', 'who'],
  ['帮助', 'help'],
  ['你能做什么?', 'help'],
  ['怎么连接模型', 'connect'],
  ['写一首诗', 'cannot'],
  ['能帮我写个函数吗?', 'cannot'],
  ['提醒我给妈妈打电话', 'cannot'],
  ['构建失败了', 'leave'],
  ['请记住', 'remember nothing'],
  ['你好,我叫小明', 'save: 名字'],
  ['谢谢,我也用 vim', 'save: 用 vim'],
  ['我喜欢单引号。缩进我是怎么说的?', 'save: 偏好单引号', 'words: 缩进'],
  ['我喜欢用制表符,请把文件改一下', 'save: 偏好用制表符', 'cannot the rest'],
  ['不要用记忆,我喜欢什么?', 'cannot'],
  ['我用 vim。What is my name?', 'save: 用 vim', 'words: name'],
]

describe('what a message wants', () => {
  test.each([...ENGLISH, ...CHINESE])('%j', (message, ...acts) => {
    expect(actsIn(message, undefined, NOW).map(told)).toEqual(acts)
  })

  test('“remember that” may mean what was said before', () => {
    const before = { words: 'I drink tea with milk', answer: '' }
    expect(actsIn('remember that', before, NOW).map(told)).toEqual(['save: Drinks tea with milk'])
    expect(actsIn('记住', { words: '我的猫会开门', answer: '' }, NOW).map(told)).toEqual(['save: 猫会开门'])
    expect(actsIn('remember that', { words: 'is it raining?', answer: '' }, NOW).map(told)).toEqual([
      'remember nothing',
    ])
  })

  test('an answer to “which one should I forget?” chooses', () => {
    const answer =
      'Several memories could be meant:\n1. A — user_a.md\n2. B — user_b.md\nWhich one should I forget? Say…'
    const chosen = (words: string) => actsIn(words, { words: 'forget x', answer }, NOW).map(told)
    expect(chosen('2')).toEqual(['forget: user_b.md'])
    expect(chosen('the first one')).toEqual(['forget: user_a.md'])
    expect(chosen('1 and 2')).toEqual(['forget: user_a.md user_b.md'])
    expect(chosen('all of them')).toEqual(['forget: user_a.md user_b.md'])
    expect(chosen('user_b.md please')).toEqual(['forget: user_b.md'])
    expect(chosen('第二个')).toEqual(['forget: user_b.md'])
    expect(chosen('7')).toEqual(['leave'])
    expect(chosen('none')).toEqual(['leave'])
    expect(chosen('hi')).toEqual(['greeting'])
  })

  test('never throws, and always wants something', () => {
    const context = fc.option(fc.record({ words: fc.string(), answer: fc.string() }), { nil: undefined })
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), context, (message, before) => {
        expect(actsIn(message, before, NOW).length).toBeGreaterThan(0)
      }),
    )
  })
})
