/** Prose, code and the output of programs, from a vocabulary as uneven as that of a language. */
import { oneOf, randomFrom } from '../torture/random.ts'

const VOCABULARY = 80_000
/** A power of two: words are drawn from a table in which each stands as often as it is likely. */
const DRAWS = 1 << 20
/** Zipf and Mandelbrot: the chance of a word falls with its rank plus this. */
const RANK_SHIFT = 2.7

const FUNCTION_WORDS =
  'the of and to a in is that for it on with as this be are not by from or at an we you can have which will was but if they has when there all would what so one do about more its into only then out also our use how new other some could these may than first been now like them any time no two my after most should where just over such because through'.split(
    ' ',
  )
/** Ordinary words that real questions have, likely ones as in any talk about programs. */
const EVERYDAY_WORDS =
  'file error test code function value user data line name change type server request result build run table query message session memory index option config path string number list update version module import export class method call return check fix issue problem database cache token model agent tool search review release deploy container network timeout retry parser schema migration branch commit merge conflict deadline invoice holiday garden recipe guitar marathon telescope volcano'.split(
    ' ',
  )
const CHINESE =
  '我们 今天 修改 缩进 配置 文件 测试 数据库 索引 搜索 会话 记忆 项目 错误 函数 制表符 喜欢 服务器 请求 返回 版本 更新 发布 用户 因为 所以 这个 那个 可以 需要'.split(
    ' ',
  )
const ONSETS = 'b c d f g h k l m n p r s t v w br cl dr fl gr pl pr st tr sh ch'.split(' ')
const VOWELS = 'a e i o u ai ea ou'.split(' ')
const CODAS = ['', '', 'n', 'r', 's', 't', 'l', 'ck', 'nd', 'm']
const ENDINGS = ['', '', '', 's', 'ed', 'ing', 'er', 'tion', 'ly', 'able']
const FOLDERS = ['src', 'lib', 'test', 'docs', 'packages', 'bench', 'scripts', 'web']
const EXTENSIONS = ['ts', 'js', 'md', 'json', 'py', 'rs', 'css']

type Random = () => number

interface Vocabulary {
  words: readonly string[]
  /** Names repeat as words do: most of what a program mentions it mentions often. */
  identifiers: readonly string[]
  draws: Uint32Array
}

let shared: Vocabulary | undefined

/** The vocabulary is the same whatever the seed. */
function vocabulary(): Vocabulary {
  shared ??= makeVocabulary(randomFrom(1))
  return shared
}

function makeVocabulary(random: Random): Vocabulary {
  const invented = new Set<string>(FUNCTION_WORDS)
  EVERYDAY_WORDS.forEach((word, at) => {
    invented.add(word)
    for (let more = 0; more < at; more++) invented.add(inventWord(random, 1))
  })
  // The rarer a word, the longer it is.
  while (invented.size < VOCABULARY) invented.add(inventWord(random, invented.size < VOCABULARY / 8 ? 2 : 3))
  const words = [...invented]
  const identifiers = words.map((word, rank) => `${words[(rank * 7 + 100) % 3_000]}${capital(word)}`)
  const draws = new Uint32Array(DRAWS)
  const whole = words.reduce((sum, _, rank) => sum + 1 / (rank + RANK_SHIFT), 0)
  let rank = 0
  let reached = 1 / RANK_SHIFT / whole
  for (let draw = 0; draw < DRAWS; draw++) {
    while (rank < words.length - 1 && draw / DRAWS > reached) reached += 1 / (++rank + RANK_SHIFT) / whole
    draws[draw] = rank
  }
  return { words, identifiers, draws }
}

export class SessionWords {
  #random: Random
  #words: readonly string[]
  #identifiers: readonly string[]
  #draws: Uint32Array

  constructor(random: Random) {
    this.#random = random
    const { words, identifiers, draws } = vocabulary()
    this.#words = words
    this.#identifiers = identifiers
    this.#draws = draws
  }

  word(): string {
    return this.#words[this.#draw()] ?? ''
  }

  identifier(): string {
    return this.#identifiers[this.#draw()] ?? ''
  }

  /** A word that a gigabyte has a few dozen times. */
  rareWord(): string {
    return this.#words[Math.floor(VOCABULARY * (0.8 + 0.2 * this.#random()))] ?? ''
  }

  /** One that is neither common nor rare. */
  middlingWord(): string {
    return this.#words[Math.floor(VOCABULARY ** (0.4 + 0.5 * this.#random()))] ?? ''
  }

  everydayWord(): string {
    return oneOf(this.#random, EVERYDAY_WORDS)
  }

  /** Five to ten words, mostly common ones, as people ask. */
  naturalQuestion(): string {
    switch (Math.floor(this.#random() * 4)) {
      case 0:
        return `what did we say about the ${this.middlingWord()} ${this.everydayWord()}?`
      case 1:
        return `why does the ${this.everydayWord()} ${this.everydayWord()} fail when ${this.middlingWord()} is used?`
      case 2:
        return `how did you fix the ${this.everydayWord()} of the ${this.middlingWord()} ${this.everydayWord()}?`
      default:
        return `when was the ${this.everydayWord()} ${this.everydayWord()} changed to ${this.word()} ${this.everydayWord()}?`
    }
  }

  question(): string {
    const text = this.sentences(1 + Math.floor(this.#random() * 3))
    return this.#random() < 0.5 ? `${text.slice(0, -1)}?` : text
  }

  /** An answer: some paragraphs, at times with a list of paths, or in Chinese. */
  prose(): string {
    const paragraphs = Array.from({ length: 1 + Math.floor(this.#random() * 4) }, () =>
      this.#random() < 0.04 ? this.#chinese() : this.sentences(2 + Math.floor(this.#random() * 4)),
    )
    if (this.#random() < 0.3) paragraphs.push(`- \`${this.path()}\`\n- \`${this.identifier()}()\``)
    return paragraphs.join('\n\n')
  }

  sentences(count: number): string {
    let text = ''
    for (let at = 0; at < count; at++) {
      const length = 6 + Math.floor(this.#random() * 18)
      let sentence = capital(this.word())
      for (let word = 1; word < length; word++)
        sentence += ` ${this.#random() < 0.03 ? this.identifier() : this.word()}`
      text += `${at === 0 ? '' : ' '}${sentence}.`
    }
    return text
  }

  path(): string {
    const random = this.#random
    return `${oneOf(random, FOLDERS)}/${this.word()}/${this.word()}-${this.word()}.${oneOf(random, EXTENSIONS)}`
  }

  command(): string {
    return `npm test -- ${this.path()} --${this.word()}=${this.#number()} | tail -${this.#number()}`
  }

  code(characters: number): string {
    return this.#lines(characters, () => {
      const indent = '  '.repeat(Math.floor(this.#random() * 4))
      switch (Math.floor(this.#random() * 4)) {
        case 0:
          return `${indent}const ${this.identifier()} = ${this.word()}.${this.identifier()}(${this.#number()})`
        case 1:
          return `${indent}if (${this.word()} === '${this.word()}') return ${this.identifier()}`
        case 2:
          return `${indent}// ${this.word()} ${this.word()} ${this.word()} ${this.word()} ${this.word()}`
        default:
          return `${indent}import { ${this.identifier()}, ${this.word()} } from './${this.path()}'`
      }
    })
  }

  output(characters: number): string {
    return this.#lines(characters, () =>
      this.#random() < 0.3
        ? `${this.#hash()}  ${this.path()}  ${this.#number()}`
        : `[${this.#number()}] ${this.word()}: ${this.word()} ${this.word()} ${this.word()} in ${this.#number()} ms`,
    )
  }

  matches(characters: number): string {
    return this.#lines(
      characters,
      () => `${this.path()}:${this.#number()}: ${this.word()} ${this.identifier()} ${this.word()}`,
    )
  }

  #draw(): number {
    return this.#draws[Math.floor(this.#random() * DRAWS)] ?? 0
  }

  #lines(characters: number, line: () => string): string {
    let text = line()
    while (text.length < characters) text += `\n${line()}`
    return text
  }

  #chinese(): string {
    return `${Array.from({ length: 12 }, () => oneOf(this.#random, CHINESE)).join('')}。`
  }

  #number(): number {
    return Math.floor(1_000 ** this.#random() * 10)
  }

  #hash(): string {
    const half = (): string =>
      Math.floor(this.#random() * 2 ** 24)
        .toString(16)
        .padStart(6, '0')
    return half() + half()
  }
}

function inventWord(random: Random, mostSyllables: number): string {
  const syllables = 1 + Math.floor(random() * mostSyllables)
  let word = ''
  for (let at = 0; at < syllables; at++)
    word += oneOf(random, ONSETS) + oneOf(random, VOWELS) + oneOf(random, CODAS)
  return word + oneOf(random, ENDINGS)
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
