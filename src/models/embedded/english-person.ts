/** The forms in which an English sentence tells who somebody is and what they like. */
import { ADVERBS, CODE, NAME, named, told } from './english-forms.ts'
import {
  LANGUAGE,
  NATIONALITY,
  OWN_ATTRIBUTE,
  OWN_TOOL,
  PERSON,
  ROLE,
  ROLE_WITH_MORE,
  TECHNOLOGY,
  USER_OF,
} from './english-words.ts'
import type { FactPattern } from './statement.ts'

const AM = "(?:i'm|im|i am)(?: also| now| actually)?"
const HAVE = "i(?:'ve| have)?(?: recently| just| finally)?"
const END = '(?=[,.;!]|$| and | but | for | since | at | with )'
const HABIT =
  '(?:use|write|run|deploy|work|commit|push|test|start|review|read|squash|rebase|merge|format|lint|indent|name|put|add|avoid|keep|prefer|type|code|develop|drink|eat|sleep|wake|exercise|release|ship|document|comment)'
const OF_THE_REPOSITORY =
  /\b(?:of|on|in|for) (?:this|that|the (?:repo|pr|file|branch|org|commit|issue|ticket))\b/i

/** Something about the person is no longer as it was. */
export const CHANGES_OF_PERSON: FactPattern[] = [
  named(
    'user',
    `^[Ii](?:'ve| have)?(?: recently| just| finally)? moved to (?<object>${NAME})(?=[,.;!]|$| and | from | in )`,
  ),
  named('user', `^[Ii](?:'ve| have)?(?: recently| just)? (?:left|quit|joined) (?<object>${NAME})$`),
  told(
    'user',
    `^${HAVE} (?:switched|migrated|changed) (?:from (?!the |a )[^,]{1,40} )?to (?<object>.+)`,
    /\bto (?:an?|the|my|another|debug|verbose)\b|\b(?:branch|mode|directory|folder|file|tab|window|page)\b/i,
  ),
  told('user', `^i (?:no longer|now) ${HABIT} (?<object>.+)`),
  told('user', '^i (?:no longer|now) (?:live|speak|study|teach|like)\\b'),
  told('user', `^${HAVE} stopped (?:using|eating|drinking|smoking) (?<object>.+)`),
  told(
    'user',
    "^i (?:don't|do not|dont) (?:use|like|work|live|eat|drink|write|prefer) (?<object>.*)\\bany ?more",
  ),
  told('user', "^i(?: was|'ve been| got| just got) promoted to (?<object>.+)"),
  told(
    'user',
    `^my (?:${OWN_ATTRIBUTE}) (?:isn't|is not|aren't|are not) [^,]{1,40}, (?:it's|it is|they're|but) (?<value>.+)`,
  ),
  told('user', `^${HAVE} (?:started (?:working )?(?:at|for)|got married|retired)\\b(?! on)`),
]

const LIKES_AND_HABITS: FactPattern[] = [
  told(
    'user',
    `^i ${ADVERBS}(?:prefer|favou?r|like|love|enjoy|adore|hate|dislike|despise|avoid|value|(?:don't|do not|dont) (?:really |much |particularly )?(?:like|love|enjoy|care for)|can(?:'t|not) stand) (?<object>.+)`,
  ),
  told(
    'user',
    `^i ${ADVERBS}(?:use|(?:don't|do not|dont|never) use|code in|program in|develop (?:in|on|with)|work with|build with) (?<object>.+)`,
    CODE,
  ),
  told(
    'user',
    `^i ${ADVERBS}(?:write|know|program|code|don't know|do not know)(?: a little| a bit of| a lot of| some| mostly| mainly| in)* (?:${TECHNOLOGY}|${LANGUAGE})(?=[,.;!]|$| and | but | very | well| best| better| for | since | every)`,
  ),
  told(
    'user',
    `^i (?:almost )?(?:always|never|usually|generally|normally|typically|often|rarely|seldom|only|mostly) ${HABIT} (?<object>.+)`,
    /\brun into\b|[a-z]+[A-Z]\w*\(|\w\(\)/,
  ),
  told(
    'user',
    `^i ${ADVERBS}(?:deploy|release|ship|commit|push|merge|work|start|review|exercise) (?:mostly |mainly )?(?:on (?:\\w+days\\b|weekends|weekdays)|every |daily|weekly|nightly|at \\d|in the (?:morning|evening|afternoon)s?|at night|from home|remotely|part[- ]time|full[- ]time)`,
  ),
  told(
    'user',
    `^i ${ADVERBS}(?:indent|format|comment|name|commit|test|document|sign) (?:my \\w+ )?(?:with|in|using) (?<object>.+)`,
  ),
  told(
    'user',
    `^i (?:don't|do not|dont|never) (?:eat|drink|smoke|drive|fly|speak|work on (?:\\w+days|weekends|holidays)|write (?:${TECHNOLOGY}))\\b`,
  ),
  told(
    'user',
    `^${AM} (?:not )?(?:an? )?(?:big |huge |great |firm |really )*(?:fan of|believer in) (?<object>.+)`,
  ),
]

const WHO_SOMEBODY_IS: FactPattern[] = [
  told(
    'user',
    `^${AM} (?:an?|the) (?!bit |little |lot |tad |step |first |only )(?:(?:[\\p{L}\\p{N}.+#/&-]+ ){0,4}?(?:${ROLE})|(?:[\\p{L}\\p{N}.+#/&-]+ ){1,4}?(?:${ROLE_WITH_MORE}))(?=[,.;!]|$| and | but | for | since | at | with | of | in | from | who | based | working | on )`,
    OF_THE_REPOSITORY,
  ),
  told('user', `^${AM} an? (?:${USER_OF})${END}`),
  told(
    'user',
    `^${AM} (?:not )?(?:allergic to|based in|located in|living in|originally from|fluent in|proficient (?:in|with)|experienced (?:in|with)|familiar with|unfamiliar with|comfortable with|good at|bad at|new to|responsible for|in charge of|employed (?:at|by)|working (?:at|for|as an?)|studying) (?<object>.+)`,
    /\b(?:the|this|that) (?:code|codebase|file|project|repo|function)\b|\b(?:hours?|minutes?|days?)\b|\b(?:new|comfortable|familiar) (?:to|with) the\b/i,
  ),
  told(
    'user',
    `^${AM} (?:not )?(?:vegetarian|vegan|colou?r[- ]?blind|left-handed|right-handed|dyslexic|deaf|hard of hearing|near-?sighted|married|divorced|retired|self-employed|unemployed|bilingual|autistic|diabetic|${NATIONALITY}|\\d+ years old)${END}`,
  ),
  named('user', `^(?:[Ii]'m|[Ii]m|[Ii] am|[Ii] come) (?:also |originally )?from (?<object>${NAME})`),
  told(
    'user',
    `^${AM} in (?:the )?(?:utc|gmt|cet|cest|pst|pdt|est|edt|ist|jst|bst|[a-z]+ time ?zone)(?:[+-]\\d+)?`,
  ),
  told('user', `^${AM} (?:learning|teaching) (?:${TECHNOLOGY}|${LANGUAGE})${END}`),
  told(
    'user',
    `^i ${ADVERBS}live (?:in|near|outside(?: of)?|close to) (?!hope|fear|peace|denial|harmony|a world)(?<object>.+)`,
  ),
  told(
    'user',
    `^i ${ADVERBS}(?:work (?:at|for|as|in)|study|teach|speciali[sz]e in|major in|majored in|graduated (?:from|in)|grew up in|was born (?:in|on)) (?<object>.+)`,
    /\bwork in (?:an?|my) |\bwork in (?:src|main|parallel|progress|pairs)|\bstudy the\b/i,
  ),
  told(
    'user',
    `^i ${ADVERBS}(?:lead|manage|maintain|run|own) (?:the|a|an|our) (?:[\\w-]+ ){0,3}(?:team|group|company|startup|library|package|project|product|department|shop|studio|blog|newsletter)\\b`,
  ),
  told(
    'user',
    `^i ${ADVERBS}work (?:remotely|from home|part[- ]time|full[- ]time|on (?:the |our )?(?:[\\w-]+ ){1,3}(?:team|service|product|platform|system|app))(?=[,.;!]|$| and | at | for )`,
  ),
  told(
    'user',
    `^i ${ADVERBS}run (?:macos|linux|windows|arch|ubuntu|debian|fedora|nixos|gentoo|freebsd|openbsd)\\b`,
  ),
  told('user', `^i (?:also )?speak (?:only |mostly |fluent |some |a little )?(?:${LANGUAGE})\\b`),
  told(
    'user',
    "^i(?:'ve| have) (?:been )?(?!trying|waiting|debugging|looking)(?:\\w+ing|worked|coded|programmed|written|used|lived|taught|done) .{0,60}(?:for [\\w ]{1,30}(?:years|decades)|since (?:19|20)\\d\\d)",
  ),
  told(
    'user',
    "^i have (?:over |about |around |more than |almost |nearly )?(?:\\w+|\\d+\\+?) years(?:'| of)? (?:of )?(?:\\w+ ){0,3}experience",
  ),
  told(
    'user',
    `^i(?:'ve| have) never (?:used|written|worked with|touched|tried|done|learned|learnt) (?:${TECHNOLOGY})\\b`,
  ),
  told(
    'user',
    '^i have (?:an?|one|two|three|four|five|six|\\d|no) (?:\\w+ )?(?:kids?|children|child|daughters?|sons?|dogs?|cats?|siblings?|brothers?|sisters?|grandchildren)(?=[,.;!]|$| named | called | and )',
  ),
  told(
    'user',
    "^i have an? (?:ph\\.?d|m\\.?sc|b\\.?sc|mba|master's|bachelor's|degree|doctorate|background)(?: degree)? (?:in|from) ",
  ),
  told(
    'user',
    '^i have (?:adhd|dyslexia|autism|diabetes|asthma|celiac disease|epilepsy|rsi|carpal tunnel)\\b',
  ),
  told('user', `^my (?:${OWN_ATTRIBUTE})(?:'s| is| are| was) (?:now |actually |called )*(?<value>.+)`),
  told('user', '^my preferences?(?: is| are|:)(?: for)? (?<object>.+)'),
  named(
    'user',
    `^[Mm]y (?i:${OWN_TOOL}) (?:is|are) (?:now |actually |called |the |an? )*(?<thing>(?:\\p{Lu}|${TECHNOLOGY}|i3|sway|tmux|kitty).*)`,
  ),
  named(
    'user',
    `^[Mm]y (?:${PERSON})(?:'s name)? (?:is|are) (?:now |actually |called |named )*(?<thing>${NAME})(?=[,.;!]|$| and )`,
  ),
  named('user', `^(?:[Jj]ust )?[Cc]all me (?!When|If|Back|Later|Crazy|Maybe|Old)(?<value>${NAME})$`),
  named('user', `^[Ii] go by (?<value>${NAME})$`),
]

export const ABOUT_THE_PERSON: FactPattern[] = [...LIKES_AND_HABITS, ...WHO_SOMEBODY_IS]
