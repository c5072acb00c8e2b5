/**
 * A sentence as the clauses that are served apart: "I prefer tabs, so please reformat the file" tells
 * something and asks for something.
 */

/** Here somebody begins to ask for something. */
const REQUEST = new RegExp(
  [
    '\\s*[,，—–]\\s*(?=(?:so |and |but )?(?:please |(?:can|could|would|will) you )(?!note\\b))',
    '\\s+(?=(?:so|and|but) (?:please |(?:can|could|would|will) you ))',
    '\\s*[,，—–-]+\\s*(?=(?:so |and |but )?(?:please )?(?:remember|note|keep)(?: (?:that|this|it|it in mind))?[.!]*$)',
    '\\s*[,，]\\s*(?=(?:所以|那就?|因此)?(?:请|請|麻烦|你能|你可以|能不能|可以|可不可以|帮我|幫我|帮忙)(?!.{0,4}[记記]))',
    '\\s*[,，]\\s*(?=(?:请|請|要|帮我|幫我|麻烦|你|给我|都)*(?:[记記](?:住|下来?|一下|好)|[别別]忘了?|不要忘[记記]?)(?:这个|这点|这一点|它|了|哦|吧|啊|呀)*[。!！.]*$)',
  ].join('|'),
  'giu',
)
/** Here somebody begins to tell something about themselves. */
const TELLING = new RegExp(
  [
    ",\\s+(?=(?:and |but )?(?:I|I'm|I am|my|we|our) (?:also |really |usually |always |never )*\\w)",
    "[,]?\\s+(?=(?:and|but) (?:now )?(?:I|I'm|I've|my|we|our) )",
    '\\s*[,，]\\s*(?=我(?:[们們]|的)?[^,，]{0,4}(?:喜欢|喜歡|用|是|住|叫|在))',
  ].join('|'),
  'giu',
)
/** Too short to stand alone: "from now on, please …", "by the way, I …". */
const LEAD_ONLY =
  /^(?:(?:from now on|going forward|moving forward|in (?:the )?future|in general|also|and|so|but|ok(?:ay)?|thanks|thank you|no|yes|hi|hey|hello|well|actually|sorry|wait|correction|please|now|then)[,.!\s]*)+$|^(?:以后|今后|从现在起|从现在开始|好的?|不|不对|其实|另外|对了|谢谢|请|那)[,，\s]*$/i
/** What is told about oneself after one of these openings stands by itself. */
const OPENING =
  /^(?:i|i'm|i've|im|my|we|we're|our|fix|please|change|make|rename|refactor|format|reformat|convert|replace|update|clean|remove|delete|switch|set|sort|move)\b|^(?:我|请|請|帮|把|改|修|换|整理|重构)/i
/** The words of another, or a case that is only imagined, go on after the comma. */
const NOT_ONE_S_OWN =
  /\b(?:say|says|said|think|thinks|thought|tells?|told|claims?|wrote|writes|believes?|if|when|while|suppose|imagine|as an?|pretend|assume|write|print|echo|type|reply|answer|respond|remember|note|forget|would|might|could)\b|说|說|觉得|觉得|认为|以为|告诉|写|如果|假如|假设|作为|比如|要是|翻译|回复|记|記|忘/i

export function clausesOf(sentence: string): string[] {
  const clauses: string[] = []
  let start = 0
  for (const { index, length, telling } of boundaries(sentence)) {
    if (index <= start) continue
    const before = sentence.slice(start, index)
    if (LEAD_ONLY.test(before) || (telling && (!OPENING.test(before) || NOT_ONE_S_OWN.test(before)))) continue
    // What begins with an imagined case stays imagined to its end.
    if (
      /^(?:if|suppose|imagine|assum\w+|pretend|as an?|when|say|let's say|如果|假如|假设|作为|要是|比如|当)(?:\b|(?=[^\x00-\x7f]))/i.test(
        before,
      ) &&
      telling
    )
      continue
    clauses.push(before)
    start = index + length
  }
  clauses.push(sentence.slice(start))
  return clauses
}

function boundaries(sentence: string): Array<{ index: number; length: number; telling: boolean }> {
  const found = [
    ...[...sentence.matchAll(REQUEST)].map(match => ({ match, telling: false })),
    ...[...sentence.matchAll(TELLING)].map(match => ({ match, telling: true })),
  ]
  return found
    .map(({ match, telling }) => ({ index: match.index, length: match[0].length, telling }))
    .sort((a, b) => a.index - b.index)
}
