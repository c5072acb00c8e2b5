/**
 * Scripts of sed that neither write files, nor read others, nor run anything. What is read here has to mean the same to
 * every sed: where a delimiter stands in brackets, some end there and some do not.
 */

const DELIMITERS = '/|#,:@'
const expression = (delimiter: string) => {
  const end = RegExp.escape(delimiter)
  const inBrackets = String.raw`\[\^?\]?(?:\[:[a-z]+:\]|[^\[\]\\\n${end}])*\]`
  return String.raw`(?:[^\[\\\n${end}]|\\[^\n]|${inBrackets})*`
}
const replacement = (delimiter: string) => String.raw`(?:[^\\\n${RegExp.escape(delimiter)}]|\\[^\n])*`

const ONE = String.raw`(?:\d+(?:~\d+)?|\$|/${expression('/')}/I?)`
const ADDRESS = new RegExp(String.raw`(?:${ONE}(?:[ ]*,[ ]*(?:${ONE}|[+~]\d+))?)?[ ]*!?[ ]*`, 'y')
/** Not `w`, `r`, `e` and their like; nor the flags `w` and `e` of `s`. */
const COMMAND = new RegExp(
  [
    '[pd=nNDPhHgGx]',
    String.raw`[qQ]\d*`,
    ...[...DELIMITERS].map(
      each =>
        `s${RegExp.escape(each)}${[expression(each), replacement(each), '[gpiI0-9]*'].join(RegExp.escape(each))}`,
    ),
  ].join('|'),
  'y',
)
const BETWEEN = /[\s;]*/y
const END = /[ ]*(?=[;}\n]|$)/y

export function plainSedScript(script: string): boolean {
  let at = 0
  let depth = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const found = pattern.exec(script)
    if (found) at += found[0].length
    return found !== null
  }
  for (;;) {
    take(BETWEEN)
    if (at === script.length) return depth === 0 && /\S/.test(script)
    if (script[at] === '}') {
      at++
      if (--depth < 0 || !take(END)) return false
      continue
    }
    take(ADDRESS)
    if (script[at] === '{') {
      at++
      depth++
    } else if (!take(COMMAND) || !take(END)) return false
  }
}
