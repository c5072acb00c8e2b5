/**
 * Words that say how a question is put rather than what it is about. They never choose candidates
 * while a question has other words.
 */
const ENGLISH = `a about above after again against all almost also although always am among an and any anybody anyone
  anything are aren around as ask at away be became because been before being below between both but by call came
  can cannot cant come could couldn d did didn do does doesn doing don done down during each either else ever every
  for from further get gets getting give go goes going gone got had hadn has hasn have haven having he her here hers
  herself him himself his how however i if in into is isn it its itself just kind kinds know ll m made make makes many
  may maybe me might mine more most much must mustn my myself neither no nor not of off often on once one ones only
  onto or other others our ours ourselves out over own please put quite rather re really s said same say shall she
  should shouldn since so some somebody someone something such t take tell th than that the their theirs them
  themselves then there these they thing things this those though through to too under until up upon us use used
  uses using usually ve very via was wasn way we well went were weren what whatever when where whether which while who
  whom whose why will with within without won would wouldn yet you your yours yourself yourselves`

const CHINESE = `的 了 吗 呢 吧 啊 呀 嘛 哦 我 你 您 他 她 它 们 我们 你们 他们 咱们 自己 这 那 这个 那个 这些 那些 这里 那里 哪 哪个 哪些 哪里
  什么 怎么 怎样 怎么样 样 一样 如何 为什么 为何 谁 几 多少 何时 什么时候 是 是不是 有 有没有 没有 没 不 要 会 能 可以 可 应该 应 该 需要 得 地
  着 过 在 于 和 与 及 或 或者 还是 还 也 都 就 才 又 再 很 太 最 更 把 被 给 让 对 从 到 向 为 为了 因为 所以 如果 但 但是 而 而且 并 并且
  个 些 种 次 下 上 里 中 时 时候 请 请问 帮 一 一个 一下 用 使用 做 说 想 想要 告诉 知道 关于 的话`

const JAPANESE_AND_KOREAN = `は が を に の と で も へ や か ね よ な から まで より です ます でした ました する した して いる ある こと もの
  これ それ あれ この その あの どの ここ そこ どこ 何 なに なん いつ だれ 誰 なぜ どう どうやって どんな ください
  은 는 이 가 을 를 에 의 와 과 도 로 으로 에서 에게 한 하는 했 합니다 입니다 무엇 뭐 어떻게 언제 어디 누구 왜 어떤 그 저 것`

let words: Set<string> | undefined

/** `word` is folded and not stemmed. The set is made when the first question comes, not at start. */
export function isStopWord(word: string): boolean {
  words ??= new Set(`${ENGLISH} ${CHINESE} ${JAPANESE_AND_KOREAN}`.split(/\s+/))
  return words.has(word)
}
