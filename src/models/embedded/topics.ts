/**
 * Words that are about the same subject, in both languages. By these "how should I indent?" finds "I use
 * tabs", and "I use spaces now" the memory that it puts right.
 */
const TOPICS: ReadonlyArray<readonly string[]> = [
  'indent|indentation|tab|tabs|space|spaces|缩进|制表符|空格',
  'quote|quotes|quotation|引号|单引号|双引号',
  'semicolon|semicolons|分号',
  'npm|pnpm|yarn|bun|package manager|包管理器|包管理工具',
  'editor|ide|vim|neovim|emacs|vscode|vs code|jetbrains|intellij|zed|helix|cursor|sublime|编辑器',
  'shell|bash|zsh|fish|terminal|终端',
  'os|linux|macos|mac|windows|ubuntu|arch|debian|fedora|operating system|操作系统|系统',
  'live|lives|living|moved|based|city|located|hometown|residence|住在|居住|住哪|搬到|搬家|搬去|城市|定居|来自|住址',
  'job|engineer|developer|employer|company|role|profession|occupation|work|joined|left|quit|promoted|工作|职业|公司|工程师|上班|职位|离职|入职|跳槽',
  'name|called|nickname|名字|我叫|姓名|称呼|叫我|昵称',
  'timezone|zone|utc|gmt|cet|pst|est|时区',
  'deadline|due|release|launch|milestone|freeze|delivery|截止日期|截止时间|截止|交付日期|交付|上线时间|上线|发布日期|发布|日期',
  'database|db|postgres|postgresql|mysql|sqlite|mongodb|mariadb|数据库',
  'answer|reply|respond|german|english|chinese|french|spanish|中文|英文|英语|德语|回答|回复|语言',
  'deploy|deployment|deploys|deployments|ship|部署|发版',
  'test|tests|testing|mock|mocks|测试|单元测试',
  'comment|comments|注释',
  'doc|docs|document|documentation|wiki|文档|设计文档|接口文档|手册',
  'theme|dark|light|主题|深色|浅色',
  'commit|commits|提交',
  'vegetarian|vegan|allergic|allergy|diet|eat|food|meat|素食|吃素|过敏|饮食|忌口',
  'bug|bugs|issue|issues|ticket|tickets|tracker|缺陷|工单',
  'kids|children|daughter|son|family|孩子|女儿|儿子|家人',
  'ci|pipeline|jenkins|circleci|流水线|持续集成',
  'backend|server|后端|服务端',
  'frontend|前端',
  'birthday|born|生日|出生',
  'answers|short|concise|brief|long|简短|简洁',
  'browser|firefox|chrome|safari|浏览器',
  'manager|boss|supervisor|老板|上司',
  'client|customer|客户|甲方',
].map(words => words.split('|'))

/** Too common to show by themselves that two sentences are about the same. */
const LOOSE = new Set(
  'work|space|light|dark|short|long|brief|answer|answers|reply|respond|server|due|based|test|tests|testing|ship|release|left|quit|joined|company|role|moved|called|english|german|chinese|french|spanish|日期|语言|系统|工作|公司|上线|发布'.split(
    '|',
  ),
)

let known: Map<string, number[]> | undefined

/** The subjects that a word, in lower case, belongs to. */
export function topicsOf(word: string): readonly number[] {
  if (!known) {
    known = new Map()
    for (const [topic, words] of TOPICS.entries())
      for (const each of words) known.set(each, [...(known.get(each) ?? []), topic])
  }
  return known.get(word) ?? []
}

/** Those of them that are more than one word. */
const PHRASES = TOPICS.flat().filter(word => word.includes(' '))

/** The phrases for subjects that a text, in lower case, has in it. */
export function topicPhrases(text: string): string[] {
  return PHRASES.filter(phrase => text.includes(phrase))
}

export function isLoose(word: string): boolean {
  return LOOSE.has(word)
}

/** The other words for a subject. */
export function wordsOn(topic: number): readonly string[] {
  return TOPICS[topic] ?? []
}

let chinese: RegExp | undefined

/** Chinese words for subjects, wherever they stand: dictionaries take some of them to pieces. */
export function chineseTopicWords(): RegExp {
  chinese ??= new RegExp(
    TOPICS.flat()
      .filter(word => /\p{sc=Han}/u.test(word))
      .sort((a, b) => b.length - a.length)
      .join('|'),
    'gu',
  )
  return chinese
}
