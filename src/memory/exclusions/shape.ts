/** How much of a text must be of one kind before the text is called that. */
const NEARLY_ALL = 0.9
const MOST = 0.8
/** Below these numbers of lines a snippet or a path is more likely an example than a copy. */
const MIN_COMMITS = 3
const MIN_CODE_LINES = 5
const MIN_PATHS = 4
/** A caption ("The handler:") is allowed beside code; more words are something said about it. */
const MAX_WORDS_BESIDE_CODE = 8
const MAX_TASK_STATE_CHARACTERS = 600
const MAX_FACTS_CHARACTERS = 600

const DIFF_HEAD = /^(?:diff --git |@@ -\d+(?:,\d+)? \+\d+|--- (?:a\/|\/dev\/null)|\+\+\+ (?:b\/|\/dev\/null))/
const DIFF_LINE =
  /^(?:[+\-@ \\]|diff --git|index [0-9a-f]+\.\.|(?:new|deleted) file|rename |similarity |old mode|new mode|Binary files)/
const LOG_HEAD = /^commit [0-9a-f]{7,40}\b/
const LOG_LINE =
  /^(?:commit [0-9a-f]{7,40}\b|(?:Author|Date|Merge|Commit|AuthorDate|CommitDate|Signed-off-by|Co-authored-by):|\s{4})/
/** A hash with a digit in it; "defaced" is a word. */
const HASH_LINE = /^[*|\\/ \t-]*[`[(]*(?=[a-f]{0,39}\d)[0-9a-f]{7,40}[`\])]*[:\s].*\S/
const CONVENTIONAL_LINE =
  /^[-*\s]*(?:feat|fix|chore|docs|refactor|test|perf|ci|build|style|revert)(?:\([^)]{1,40}\))?!?: \S/
const CONVENTIONAL_CHANGE = /^[-*\s]*(?:feat|fix|refactor|chore)(?:\([^)]{1,40}\))?!?: /
const FENCE = /^\s*(?:```|~~~)\s*([\w+#-]*)/
/** Commands, settings and examples of output are how-to knowledge, not a copy of the code. */
const NOT_CODE_FENCE =
  /^(?:sh|bash|zsh|fish|shell|console|powershell|ps1|bat|text|txt|md|markdown|json|jsonc|ya?ml|toml|ini|sql|mermaid|http)$/i
const CODE_LINE =
  /^\s*(?:import|export|const|let|var|function|class|def|return|if|for|while|public|private|protected|static|#include|package|func|fn|use|struct|interface|type|enum|impl|from|async|await|try|catch|finally|else|elif|switch|case|break|throw|raise|with|yield|@\w+)\b.*[({[;:=,})'"`\]]|[{};]\s*$|^\s*[})\]]+[;,)]*\s*$|^\s*[\w.$]+\([^)]*\)[;{:]?$|=>\s*[{(]?$|^\s*\/\/|^\s+[\w.$[\]]+\s*[-+*/]?=\s*\S/
const TREE_LINE = /[├└│]|^\s*[|`+]-- /
const LS_LINE = /^[dl-](?:[rwxsStT-]{9})[.+@]?\s/
const PATH_LINE = /^\s*(?:[-*] )?`?(?:\.{1,2}\/)?[\w-][\w.-]*(?:\/[\w.*-]+)*\/?`?$/
const CHECK_ITEM = /^\s*(?:[-*+]|\d+[.)])?\s*\[[ xX✓✔~-]\]\s+\S/
const HEADING = /^\s*#{1,6} |^[^.!?。！？]{1,60}[:：]$/
const BUSY_WITH =
  /\b(?:currently|right now|at the moment|in the middle of|now|just)\b[^.\n]{0,40}\b(?:editing|debugging|running|implementing|refactoring|fixing|working on|writing|testing|changing)\b|(?:正在|目前在|当前在|當前在|刚刚在|剛剛在)(?:编辑|編輯|修改|调试|調試|运行|運行|实现|實現|重构|重構|修复|修復|编写|編寫|测试|測試|处理|處理|改)/i
const WHAT_NEXT =
  /\b(?:next steps?|next up|next:|next,? (?:I|we)\b|(?:is|are|comes?) next\b|then (?:run|commit|fix|push)|remaining steps?|still to do|left to do|todo:)|下一步|接下来|接下來|然后再?(?:跑|运行|提交)|待办|待辦|还剩|還剩/i
/** A source file, as it is called in a project; settings, documents and scripts may well be worth a note. */
const SOURCE =
  '`?(?:[\\w.@-]+/)*[\\w.-]+\\.(?:tsx?|jsx?|mjs|cjs|py|go|rs|java|kt|rb|php|c|cc|cpp|h|hpp|cs|swift|scala|vue)\\b(?::\\d+)?`?'
/** "UserService lives in src/user.ts", "src/index.ts exports openMemory": whoever looks sees it, as it is now. */
const PLACE_IN_CODE = new RegExp(
  `\\b(?:is|are|lives?|sits?|resides?|defined|declared|implemented|located|found|handled) (?:in|at|under) (?:the file )?${SOURCE}|${SOURCE} (?:(?:re-?)?exports?|imports?|defines?|declares?|contains?|calls|implements?)\\b|(?:在|位于|位於|定义于|定義於)\\s?${SOURCE}|${SOURCE}\\s?(?:中|里|裡|裏)?(?:导出|導出|导入|導入|定义|定義|包含|调用|調用|实现|實現)`,
  'i',
)
/** What was fixed is in the code by now, and how it was is in its history. */
const FIXED_IN_CODE = new RegExp(
  `\\b(?:fixed|repaired|patched)\\b.{0,80}\\b(?:in|of) ${SOURCE}|${SOURCE}.{0,40}\\b(?:was|is|has been) (?:fixed|repaired|patched)\\b|修(?:复|復|好)了?.{0,40}${SOURCE}|${SOURCE}.{0,40}修(?:复|復|好)了`,
  'i',
)
const COMMIT_DID =
  /^\W*(?:in )?(?:commit|提交)\s`?(?=[a-f]{0,39}\d)[0-9a-f]{7,40}\b.*(?:\b(?:fixe[sd]|add(?:s|ed)|remove[sd]|rename[sd]|refactor(?:s|ed)|move[sd]|update[sd]|merge[sd]|change[sd])\b|修[复復]|添加|新增|[删刪]除|重[构構]|更新)/i
const IN_THE_WORKING_TREE =
  /\bline \d+|:\d+\b|\b\w+\.\w{1,5}\b|\btests?\b|\bbranch\b|\bcommit\b|第\s?\d+\s?行|测试|測試|函数|函數|分支|提交/i

export function isDiff(body: string): boolean {
  const lines = contentLines(body)
  return lines.some(line => DIFF_HEAD.test(line)) && share(lines, DIFF_LINE) >= MOST
}

export function isGitLog(body: string): boolean {
  const lines = contentLines(body)
  return lines.some(line => LOG_HEAD.test(line)) && share(lines, LOG_LINE) >= MOST
}

export function isCommitList(body: string): boolean {
  const lines = contentLines(body).filter(line => !HEADING.test(line))
  if (lines.length < MIN_COMMITS) return false
  if (share(lines, HASH_LINE) >= NEARLY_ALL) return true
  // "build: npm run build" is a note on commands; a list of commits also fixes or adds something.
  return (
    share(lines, CONVENTIONAL_LINE) === 1 && lines.filter(line => CONVENTIONAL_CHANGE.test(line)).length >= 2
  )
}

/** Nothing but where something stands in the code, or what was mended there. */
export function isCodeFact(body: string): boolean {
  return everySentence(body, sentence => PLACE_IN_CODE.test(sentence))
}

export function isFixInCode(body: string): boolean {
  return everySentence(body, sentence => FIXED_IN_CODE.test(sentence) || COMMIT_DID.test(sentence))
}

function everySentence(body: string, test: (sentence: string) => boolean): boolean {
  if (body.length > MAX_FACTS_CHARACTERS) return false
  const sentences = body
    .split(/\n+|(?<=[.!?;])\s+|[。！？；]/)
    .filter(sentence => /[\p{L}\p{N}]/u.test(sentence) && !HEADING.test(sentence))
  return sentences.length > 0 && sentences.every(test)
}

export function isCode(body: string): boolean {
  const { code, prose } = codeAndProse(body)
  return (
    code.length >= MIN_CODE_LINES &&
    share(code, CODE_LINE) >= 0.6 &&
    wordCount(prose) <= MAX_WORDS_BESIDE_CODE
  )
}

/** Paths inside a project only: an absolute path or an address may well be where something outside is found. */
export function isListing(body: string): boolean {
  const lines = contentLines(body).filter(line => !HEADING.test(line))
  if (lines.length < MIN_PATHS) return false
  if (
    share(lines, LS_LINE) >= MOST ||
    lines.filter(line => TREE_LINE.test(line)).length / lines.length >= MOST
  )
    return true
  const paths = lines.filter(isPath)
  const evident = paths.filter(line => /\/.*\.\w{1,5}`?$|\/`?$|\/.*\//.test(line))
  return paths.length / lines.length >= NEARLY_ALL && evident.length >= paths.length / 2
}

export function isTaskState(body: string): boolean {
  const lines = contentLines(body).filter(line => !HEADING.test(line))
  if (lines.length >= 2 && share(lines, CHECK_ITEM) === 1) return true
  return (
    body.length <= MAX_TASK_STATE_CHARACTERS &&
    BUSY_WITH.test(body) &&
    WHAT_NEXT.test(body) &&
    IN_THE_WORKING_TREE.test(body)
  )
}

/** `github.com/owner/repo` and `CI/CD` are not files, and a bare `Node.js` is not one either. */
function isPath(line: string): boolean {
  if (!PATH_LINE.test(line) || /^[\s\d./*-]+$/.test(line)) return false
  const first = line.replace(/^\s*(?:[-*] )?`?(?:\.{1,2}\/)?/, '').split('/')[0] ?? ''
  const hasFolder = line.includes('/')
  return hasFolder ? !/\w\.[a-z]{2,}$/i.test(first) : /^[a-z][\w-]*\.[a-z]{1,5}`?$/.test(first)
}

/** Lines in fences that may hold code, and unfenced lines that read like it, apart from everything else. */
function codeAndProse(body: string): { code: string[]; prose: string[] } {
  const code: string[] = []
  const prose: string[] = []
  let fence: 'none' | 'code' | 'other' = 'none'
  for (const line of body.split('\n')) {
    const mark = FENCE.exec(line)
    if (mark !== null) {
      fence = fence !== 'none' ? 'none' : NOT_CODE_FENCE.test(mark[1] ?? '') ? 'other' : 'code'
    } else if (line.trim() !== '') {
      const isCodeLine = fence === 'code' || (fence === 'none' && CODE_LINE.test(line))
      ;(isCodeLine ? code : prose).push(line)
    }
  }
  return { code, prose }
}

function contentLines(body: string): string[] {
  return body.split('\n').filter(line => line.trim() !== '' && !FENCE.test(line))
}

function share(lines: readonly string[], pattern: RegExp): number {
  return lines.length === 0 ? 0 : lines.filter(line => pattern.test(line)).length / lines.length
}

function wordCount(lines: readonly string[]): number {
  const text = lines.join(' ')
  const characters = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0
  const words = text.match(/[A-Za-zÀ-ɏЀ-ӿ]+/g)?.length ?? 0
  return words + characters / 2
}
