/** What the mind says, in both languages. */
import type { Language } from './sentences.ts'
import type { SmallTalk } from './small-talk.ts'

export interface Phrases {
  remembered(what: string, file: string): string
  updated(what: string, file: string): string
  known(what: string, file: string): string
  notKept(reason: string): string
  memoryOff: string
  rememberWhat: string
  /** Without its name where only the file is known. */
  forgotten(what: string | undefined, file: string): string
  notForgotten(file: string, reason: string): string
  nothingToForget(what: string): string
  forgetWhat: string
  forgetAll: string
  whichToForget(lines: readonly string[]): string
  found: string
  more(count: number): string
  nothingAbout(what: string): string
  /** Nothing is known about the person, their preferences, the project, or at all. */
  nothingYet: Readonly<Record<'person' | 'preferences' | 'project' | 'everything', string>>
  age(days: number, stale: boolean): string
  origin: Readonly<Record<string, string>>
  alsoInMemory: string
  inSessions: string
  /** Of a subject, of a day, of both or neither. */
  nothingInSessions(what: string, day: string | undefined): string
  /** What to search for when nothing is named. */
  conversation: string
  noSessions: string
  searchFailed(reason: string): string
  daysAgo(days: number): string
  you: string
  me: string
  talk: Readonly<Record<SmallTalk, string>>
  cannot: string
  cannotRest: string
  /** Something was told that might be worth keeping, or not. */
  notSure: string
  notAModel: string
  sawNotice: string
}

const CONNECT =
  'To connect a language model: set ANTHROPIC_API_KEY and run `reverie config set model anthropic/NAME`, or use a local Ollama model with `reverie config set model ollama/NAME`. `reverie models` lists what can be used.'
const CONNECT_ZH =
  '要接入语言模型:设置 ANTHROPIC_API_KEY 后运行 `reverie config set model anthropic/NAME`,或用本地的 Ollama 模型:`reverie config set model ollama/NAME`。`reverie models` 列出可用的模型。'
const WHO =
  "I am Reverie's built-in mind: a small program, not a language model. Without network or key I remember what you tell me, find it again, correct it and forget it."
const WHO_ZH =
  '我是 Reverie 内置的小程序,不是语言模型。不需要网络和密钥,我就能记住你告诉我的事,帮你找回、更正和忘掉。'

const ENGLISH: Phrases = {
  remembered: (what, file) => `Remembered: ${what} (${file}).`,
  updated: (what, file) => `Updated: ${what} (${file}).`,
  known: (what, file) => `I knew that already: ${what} (${file}).`,
  notKept: reason => `Not kept. ${reason}`,
  memoryOff: 'Memory is off in this conversation (--no-memory): nothing is kept and nothing is looked up.',
  rememberWhat:
    'What should I remember? Say it in one sentence, for example "remember that I deploy on Fridays".',
  forgotten: (what, file) => (what === undefined ? `Forgotten: ${file}.` : `Forgotten: ${what} (${file}).`),
  notForgotten: (file, reason) => `Not forgotten: ${file}. ${reason}`,
  nothingToForget: what => `I have no memory about "${what}", so there is nothing to forget.`,
  forgetWhat:
    'What should I forget? Name the subject or the file, for example "forget what I said about deployments".',
  forgetAll:
    'I do not forget everything at once. Name a subject ("forget everything about deployments"), or look at `reverie memory list` and name the files.',
  whichToForget: lines =>
    `Several memories could be meant:\n${lines.join('\n')}\nWhich one should I forget? Say its number or its file, or "all of them".`,
  found: 'This is what I have in memory:',
  more: count => `And ${count} more; \`reverie memory list\` shows all of them.`,
  nothingAbout: what => `I have nothing in memory about "${what}".`,
  nothingYet: {
    person:
      'I have nothing in memory about you yet. Tell me something, for example "I prefer tabs for indentation".',
    preferences:
      'I have no preferences of yours in memory yet. Tell me one, for example "I prefer tabs for indentation".',
    project:
      'I have nothing in memory about the project yet. Tell me something, for example "the deadline is 2026-12-01".',
    everything: 'My memory is empty so far.',
  },
  age: (days, stale) => {
    if (!stale) return days === 0 ? 'saved today' : 'saved 1 day ago'
    return `saved ${days === 1 ? '1 day' : `${days} days`} ago; a snapshot, verify before relying on it`
  },
  origin: {
    agent: 'a conclusion of the agent',
    tool: 'from a tool or a web page',
    import: 'imported',
    team: 'from the team',
  },
  alsoInMemory: 'What I have in memory on this:',
  inSessions: 'This is what I found in earlier conversations:',
  nothingInSessions: (what, day) =>
    `I found nothing${what && ` about ${what}`} in earlier conversations${day === undefined ? '' : ` (${day})`}. \`reverie sessions list\` shows them all.`,
  noSessions: 'I cannot search earlier conversations here. `reverie sessions list` shows them.',
  searchFailed: reason => `The search did not work: ${reason}`,
  daysAgo: days => (days === 0 ? 'today' : days === 1 ? 'yesterday' : `${days} days ago`),
  conversation: 'conversation',
  you: 'you',
  me: 'I',
  talk: {
    greeting:
      'Hello. I am the built-in mind of Reverie: tell me what to remember, or ask what I know. "help" shows more.',
    thanks: 'You are welcome.',
    goodbye: 'Goodbye.',
    agreement: 'All right.',
    'never mind': 'All right. Nothing was changed; to remove a memory, say "forget" and what it is about.',
    who: `${WHO} ${CONNECT}`,
    help: [
      WHO,
      '',
      '- "remember that I deploy on Fridays", "never use mocks", "the deadline is 2026-12-01": I keep it',
      '- "what do you know about me?", "when is the deadline?": I answer from memory, with file and age',
      '- "no, I use spaces now, not tabs": I correct what I have',
      '- "forget what I said about deployments": I forget it; `reverie memory undo` brings it back',
      '- "what did we talk about yesterday?": I look in earlier conversations',
      '',
      `For everything else a language model is needed. ${CONNECT}`,
    ].join('\n'),
    connect: CONNECT,
  },
  cannot: `I cannot do that: I am Reverie's built-in mind, not a language model. I can remember, find, correct and forget what you tell me. ${CONNECT}`,
  cannotRest:
    'The rest of your message needs a language model, which I am not; `reverie models` lists what can be connected.',
  notSure: `I kept nothing of this, not being sure that it should last; say "remember that" if it should. I am the built-in mind, not a language model. ${CONNECT}`,
  notAModel: `I answer from memory only, because I am not a language model. ${CONNECT}`,
  sawNotice: 'I have seen the notice. There is nothing in it that I can act on.',
}

const CHINESE: Phrases = {
  remembered: (what, file) => `记住了:${what}(${file})。`,
  updated: (what, file) => `已更新:${what}(${file})。`,
  known: (what, file) => `这个我已经知道:${what}(${file})。`,
  notKept: reason => `没有保存。${reason}`,
  memoryOff: '这次对话关闭了记忆(--no-memory):什么都不保存,也不查找。',
  rememberWhat: '要我记住什么?请用一句话说出来,例如“记住我周五部署”。',
  forgotten: (what, file) => (what === undefined ? `已忘掉:${file}。` : `已忘掉:${what}(${file})。`),
  notForgotten: (file, reason) => `没有忘掉:${file}。${reason}`,
  nothingToForget: what => `我没有关于“${what}”的记忆,所以没有可忘的。`,
  forgetWhat: '要我忘掉什么?请说出主题或文件名,例如“忘掉我说的关于部署的事”。',
  forgetAll:
    '我不会一次忘掉全部。请说出主题(“忘掉关于部署的一切”),或用 `reverie memory list` 查看后说出文件名。',
  whichToForget: lines =>
    `可能是这几条记忆:\n${lines.join('\n')}\n要忘掉哪一个?请说序号或文件名,或者说“全部”。`,
  found: '我的记忆里有:',
  more: count => `还有 ${count} 条;\`reverie memory list\` 可以看到全部。`,
  nothingAbout: what => `我的记忆里没有关于“${what}”的内容。`,
  nothingYet: {
    person: '我的记忆里还没有关于你的内容。可以告诉我,例如“我喜欢用制表符缩进”。',
    preferences: '我的记忆里还没有你的偏好。可以告诉我,例如“我喜欢用制表符缩进”。',
    project: '我的记忆里还没有关于项目的内容。可以告诉我,例如“截止日期是 2026-12-01”。',
    everything: '我的记忆目前是空的。',
  },
  age: (days, stale) => {
    if (!stale) return days === 0 ? '今天保存' : '1 天前保存'
    return `${days} 天前保存;只是当时的快照,使用前请核实`
  },
  origin: { agent: '由助手推断', tool: '来自工具或网页', import: '导入的', team: '来自团队' },
  alsoInMemory: '记忆里与此有关的内容:',
  inSessions: '在以前的对话里找到:',
  nothingInSessions: (what, day) =>
    `在以前的对话里${day === undefined ? '' : `(${day})`}没有找到${what && `关于“${what}”的`}内容。\`reverie sessions list\` 可以看到全部对话。`,
  noSessions: '这里无法搜索以前的对话。`reverie sessions list` 可以看到它们。',
  searchFailed: reason => `搜索没有成功:${reason}`,
  daysAgo: days => (days === 0 ? '今天' : days === 1 ? '昨天' : `${days} 天前`),
  conversation: '对话',
  you: '你',
  me: '我',
  talk: {
    greeting: '你好。我是 Reverie 内置的小程序:告诉我要记住什么,或者问我知道什么。输入“帮助”了解更多。',
    thanks: '不客气。',
    goodbye: '再见。',
    agreement: '好的。',
    'never mind': '好的,什么都没有改动。要删除某条记忆,请说“忘掉”加上内容。',
    who: `${WHO_ZH}${CONNECT_ZH}`,
    help: [
      WHO_ZH,
      '',
      '- “记住我周五部署”、“不要用 mock”、“截止日期是 2026-12-01”:我会保存',
      '- “你知道我什么?”、“截止日期是什么时候?”:我根据记忆回答,并给出文件和保存时间',
      '- “其实我用空格”:我会更正已有的记忆',
      '- “忘掉我说的关于部署的事”:我会忘掉;`reverie memory undo` 可以恢复',
      '- “昨天我们聊了什么?”:我在以前的对话里查找',
      '',
      `其他事情需要语言模型。${CONNECT_ZH}`,
    ].join('\n'),
    connect: CONNECT_ZH,
  },
  cannot: `这个我做不到:我是 Reverie 内置的小程序,不是语言模型。我能记住、查找、更正和忘掉你告诉我的事。${CONNECT_ZH}`,
  cannotRest: '其余部分需要语言模型,而我不是;`reverie models` 列出可以接入的模型。',
  notSure: `这句话我没有保存,因为不确定是否值得长期记住;如果要,请说“记住”。我是内置的小程序,不是语言模型。${CONNECT_ZH}`,
  notAModel: `我只能根据记忆回答,因为我不是语言模型。${CONNECT_ZH}`,
  sawNotice: '通知已看到,其中没有我能处理的事。',
}

export const PHRASES: Readonly<Record<Language, Phrases>> = { en: ENGLISH, zh: CHINESE }
