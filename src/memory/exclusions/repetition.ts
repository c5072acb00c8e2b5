/** Shorter texts are found in long instructions by chance, unless they are a whole sentence there as well. */
const MIN_REPEATED_LENGTH = 40
const MIN_SENTENCE_LENGTH = 12
/** A Chinese character says about as much as two letters. */
const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g

/** Whether every sentence of a text already stands, word for word, in one of the instructions. */
export function repeatsInstructions(
  text: string,
  instructions: readonly string[],
  minLength = MIN_REPEATED_LENGTH,
): boolean {
  const sentences = sentencesOf(text)
  const length = sentences.reduce((sum, sentence) => sum + weightOf(sentence), 0)
  if (sentences.length === 0 || length < Math.min(minLength, MIN_SENTENCE_LENGTH)) return false
  return instructions.some(instruction => {
    if (length < minLength) {
      const said = new Set(sentencesOf(instruction))
      return sentences.every(sentence => said.has(sentence))
    }
    const whole = normalised(instruction)
    return sentences.every(sentence => whole.includes(sentence))
  })
}

function sentencesOf(text: string): string[] {
  return text
    .split(/\n+|(?<=[.!?;])\s+|(?<=[。！？；])/)
    .map(normalised)
    .filter(sentence => sentence.trim() !== '')
}

/** Words only, with a space at both ends, so that Markdown, case, line breaks and punctuation do not matter. */
function normalised(text: string): string {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return words.length === 0 ? '' : ` ${words.join(' ')} `
}

function weightOf(sentence: string): number {
  return sentence.length + (sentence.match(CJK)?.length ?? 0)
}
