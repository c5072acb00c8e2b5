/** Sentences that want a friendly word and nothing else. */
import { simplified } from './chinese-words.ts'
import type { Sentence } from './sentences.ts'

export type SmallTalk =
  | 'greeting'
  | 'thanks'
  | 'goodbye'
  | 'agreement'
  | 'never mind'
  | 'who'
  | 'help'
  | 'connect'

const ENGLISH: ReadonlyArray<readonly [SmallTalk, RegExp]> = [
  [
    'greeting',
    /^(?:(?:hi|hey|hello|yo|howdy|greetings|good (?:morning|evening|afternoon|day))(?: there| again| all| everyone| reverie)?|how are you(?: doing)?(?: today)?|what's up|sup)$/,
  ],
  [
    'thanks',
    /^(?:(?:ok(?:ay)?|great|perfect|cool|nice|awesome),? )?(?:thanks|thank you|thx|ty|cheers|much appreciated|many thanks)(?: (?:a lot|so much|very much|again|reverie|a bunch|for (?:that|the help|your help|everything)))?$/,
  ],
  ['goodbye', /^(?:bye|goodbye|bye bye|see you(?: later| tomorrow)?|good night|cya|later|exit|quit)$/],
  [
    'agreement',
    /^(?:ok(?:ay)?|k|yes|yeah|yep|no|nope|sure|fine|right|correct|exactly|got it|i see|i understand|understood|i agree|great|cool|nice|perfect|good|awesome|well done|good job|makes sense|sounds good|alright|all right|hm+|wait|sorry|wrong|that's (?:wrong|right|not right|not true|outdated)|correction|actually|please|ah|oh)$/,
  ],
  [
    'never mind',
    /^(?:never ?mind|nvm|forget (?:about )?(?:it|that)|stop|stop it|cancel|don't worry(?: about it)?|don't bother|no worries)$/,
  ],
  [
    'who',
    /^(?:who|what) are you(?: exactly)?$|^what(?:'s| is) your name$|^are you (?:an? )?(?:ai|a\.i\.|bot|chatbot|robot|human|person|real|llm|language model|chat ?gpt|claude|gpt|gemini|model|real person)\b.*$|^what (?:kind of )?(?:model|llm|ai) (?:are you|is this|do you use|am i (?:using|talking to))$|^which (?:model|llm|ai) (?:are you|is this|do you use|am i (?:using|talking to))$|^(?:tell me about|introduce) yourself$|^what is reverie$/,
  ],
  [
    'help',
    /^(?:help|help me|\/help|what can you do(?: for me)?|what do you do|how do you work|how does this work|how do i use (?:you|this|reverie)|what are your (?:commands|abilities|features)|usage|commands|can you help(?: me)?|i need help)$/,
  ],
  [
    'connect',
    /^how (?:do|can|should) i (?:connect|use|set up|configure|add|change|choose|select|switch)(?: to)? (?:an? |the |another |my )?(?:real |different |language |other )*(?:model|llm|ai|claude|anthropic|ollama|openai|gpt|provider)(?: model)?$|^(?:connect|use|set|switch to|change) (?:an? |the |another )?(?:real |different |language )*(?:model|llm)$/,
  ],
]

const CHINESE: ReadonlyArray<readonly [SmallTalk, RegExp]> = [
  [
    'greeting',
    /^(?:你好|您好|嗨|哈喽|大家好|早上好|早|早安|下午好|晚上好|你好吗|最近怎么样|在吗)(?:啊|呀|呢)?$/,
  ],
  [
    'thanks',
    /^(?:好的?)?[,，]?(?:谢谢|多谢|感谢|谢了|辛苦了|太感谢了|非常感谢)(?:你|您|了|啦|啊|帮助|你的帮助)*$/,
  ],
  ['goodbye', /^(?:再见|拜拜|晚安|回头见|明天见|退出)(?:了|啦)?$/],
  [
    'agreement',
    /^(?:好|好的|好吧|行|可以|嗯+|是|是的|对|对的|没错|不|不是|不对|错了|不行|知道了|明白|明白了|我明白了|懂了|了解|收到|没关系|不错|很好|太好了|同意|我同意|更正|说错了|哦|没事)(?:了|啊|呀)?$/,
  ],
  [
    'never mind',
    /^(?:算了|不用了|没事了|忘了它|忘了吧|忘了它吧|别管了|不要了|取消|停|停下|别担心|别急|不要紧)(?:吧|了)?$/,
  ],
  [
    'who',
    /^(?:你是谁|您是谁|你是什么|你叫什么(?:名字)?|你的名字是什么|你是(?:一个)?(?:ai|人工智能|机器人|真人|人|大模型|语言模型|chatgpt|claude|gpt)吗|你(?:用的)?是什么模型|你用的?什么模型|介绍一下(?:你)?自己|自我介绍(?:一下)?)$/i,
  ],
  [
    'help',
    /^(?:帮助|帮帮我|救命|使用说明|你能做什么|你会做什么|你会什么|你能干什么|你能干嘛|你有什么功能|怎么用|怎么使用|如何使用|你怎么用|你可以做什么|能帮我吗)$/,
  ],
  [
    'connect',
    /^(?:怎么|如何|怎样)(?:连接|接入|配置|设置|使用|换|切换|更换|选择)(?:一个|到|别的|其他|真正的|大|语言)*(?:模型|大模型|ollama|claude|anthropic|gpt|openai)$/i,
  ],
]

export function smallTalk({ text, language }: Pick<Sentence, 'text' | 'language'>): SmallTalk | undefined {
  const plain = text.replace(/[\s.!?,;:~。！？，；：…]+$/u, '').replace(/^[\s,，]+/, '')
  if (plain === '') return undefined
  if (!/[\p{L}\p{N}]/u.test(plain)) return 'agreement'
  const [table, said] = language === 'zh' ? [CHINESE, simplified(plain)] : [ENGLISH, plain.toLowerCase()]
  return table.find(([, pattern]) => pattern.test(said))?.[0]
}
