/** What a sentence states first, without what it only adds: brackets, further clauses, what something is not. */

const BRACKET = /\s*(?:[（(][^()（）]*[)）]|<[^<>\s]+>)/g
/** Here something may be added to a statement that stands without it. */
const JOINT =
  /[,，;；]\s*|\s[–—]\s|\s+and\s+|(?=\s(?:rather than|instead of|since)\s|\swith an? \p{L}+ of \d)/giu
/** What says where or when a statement holds, or that it no longer does, is part of it. */
const BINDING =
  /\b(?:but|except|unless|only|if|when|whenever|where|without|other than|whereas|while|until|till|excluding|apart from|however|otherwise|not|never|no|neither|nor|was|were|now|used to|formerly|previously|n't|rarely|sometimes|either|or)\b|n't\b|但|除|仅|只|不|没|如果|要是|时|原来|以前|现在|改/i
const CONTRAST =
  /^\s*(?:(?:rather than|instead of)\s|, (?:not|never) (?!(?:in|on|at|for|with|only|always|yet|when|if|by|to|before|after|during|every|all|just)\b)\p{L}+(?: \p{L}+)?$)/iu

/** The longest first. */
export function headsOf(sentence: string): string[] {
  const heads: string[] = []
  const [end = ''] = /[.!。！]*$/.exec(sentence) ?? []
  let head = sentence.slice(0, sentence.length - end.length)
  const plain = head.replaceAll(BRACKET, found => (BINDING.test(found) ? found : ''))
  if (plain !== head) heads.push(plain)
  head = plain
  for (const { 0: joint, index } of [...head.matchAll(JOINT)].reverse()) {
    const tail = head.slice(index)
    if (!CONTRAST.test(tail) && BINDING.test(tail.slice(joint.length))) break
    head = head.slice(0, index)
    heads.push(head)
  }
  return heads
}
