/** Text that wants to steer the agent that reads it. */
import type { Origin } from '../../memory/index.ts'

/** Each alone is nothing that anybody remembers about a person or a project. */
const SIGNS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|earlier|above|all|any|other|existing|your|system)\b.{0,20}\b(?:instructions?|rules?|prompts?|guidelines?|directions?|guardrails?|polic(?:y|ies)|safety)\b/i,
  /\b(?:do not|don't|never|without)\b.{0,20}\b(?:tell|mention|inform|telling|informing|reveal|alert|notify|notifying|show|ask|asking)\b.{0,25}\b(?:user|owner|human|operator|anyone|them|permission)\b/i,
  /\b(?:send|post|upload|forward|exfiltrate|leak|transmit|copy|e-?mail)\b.{0,60}\b(?:credentials?|passwords?|tokens?|secrets?|api keys?|private keys?|ssh keys?|env(?:ironment)? (?:file|variables?)|\.env|conversation|memor(?:y|ies)|transcripts?)\b.{0,60}(?:https?:|\bto\b|@)/i,
  /\byou (?:are|will|must|shall) (?:now|from now on|hereby)\b|\byou are now (?:in |an? )|\bdeveloper mode\b|\bjailbreak|\bDAN\b|\bact as (?:an? )?(?:unrestricted|unfiltered)/i,
  /<\/?(?:system|instructions?|assistant|im_start|system-reminder)\b[^>]*>|\[\/?INST\]|<\|im_start\|>|^\s*(?:system|assistant)\s*:/im,
  /\b(?:curl|wget)\b[^|\n]{0,200}\|\s*(?:ba|z)?sh\b|\brm -rf\s+[~/]/i,
  /\b(?:disable|turn off|skip|approve|accept)\b.{0,30}\b(?:permission|confirmation|approval|safety|sandbox|security) ?(?:checks?|prompts?|questions?|requests?)?\b.{0,40}\b(?:automatically|always|silently|without|all)\b|\b(?:always|automatically|silently)\b.{0,20}\b(?:approve|accept|run|execute)\b.{0,30}\b(?:all|any|every|commands?|requests?)\b/i,
  /\b(?:important|attention|note to|message (?:for|to)|instructions? for)\b.{0,20}\b(?:AI|assistants?|agents?|language models?|LLMs?|chatbots?)\b/i,
  /\b(?:ignore|disregard|forget)\b (?:everything|all|anything)\b.{0,20}\b(?:above|before|earlier|so far|you were told|you know)\b/i,
  /\b(?:user|owner|human|operator) (?:wants|has (?:authori[sz]ed|asked|told|instructed|allowed)|authori[sz]es|allows) (?:you|the (?:assistant|agent|AI|model)) to (?:disable|delete|remove|wipe|send|upload|run|execute|install|ignore|bypass|share|approve|transfer|pay)\b/i,
  /(?:^|[.!?]\s+)(?:important|urgent|attention)\b[^\p{L}]{0,4}(?:please )?(?:delete|wipe|erase|send|upload|execute)\b/imu,
  /\b(?:safety|security|permission)s?\b.{0,20}\b(?:no longer appl(?:y|ies)|(?:are|is) (?:now )?(?:off|disabled|lifted|suspended))\b/i,
  /\b(?:reply|respond|answer|reveal|print|repeat)\b.{0,20}\byour? ?(?:system prompt|(?:initial |hidden )?instructions)\b|\b(?:reply|respond|answer) with (?:the )?system prompt\b/i,
  /(?:忽略|无视|忘记|忘掉|绕过).{0,12}(?:之前|以上|先前|所有|系统|一切).{0,8}(?:指令|指示|规则|提示|限制)/,
  /(?:不要|别|不得|无需).{0,6}(?:告诉|告知|通知|提醒|询问).{0,6}(?:用户|主人|任何人)/,
  /(?:发送|上传|转发|泄露|提交).{0,20}(?:密码|密钥|令牌|凭据|凭证|对话|记忆).{0,20}(?:到|至|给|https?)|把.{0,20}(?:密码|密钥|私钥|令牌|凭据|凭证|对话|记忆|环境变量|\.env).{0,12}(?:发送|上传|转发|发).{0,6}(?:到|至|给)/,
  /你现在是|从现在起你(?:是|必须)|你必须始终/,
]

/** Whoever is the owner may word a rule as they like: one sign alone does not make it somebody else's. */
const SIGNS_IN_OWN_WORDS = 2

export function looksInjected(text: string, origin: Origin): boolean {
  const signs = SIGNS.filter(sign => sign.test(text)).length
  return signs >= (origin === 'owner' ? SIGNS_IN_OWN_WORDS : 1)
}
