/** The forms in which an English sentence tells about a project, and where something is found. */
import { ADVERBS, CODE, NAME, named, TEAM, told } from './english-forms.ts'
import { DATE, DOCUMENT, EVENT, PROJECT_ATTRIBUTE, SYSTEM, TECHNOLOGY } from './english-words.ts'
import type { FactPattern } from './statement.ts'

const URL = 'https?:\\/\\/\\S+'
/** Where something is kept; "GitHub's side" and "GitHub Actions" are no such place. */
const PLACE = `(?:${URL}|(?:${SYSTEM})\\b(?!'s| actions| api| cli| sdk| copilot)|#[\\w-]+)`

/** Something about the project is no longer as it was. */
export const CHANGES_OF_PROJECT: FactPattern[] = [
  told(
    'project',
    `^${TEAM}(?:'ve| have| has)?(?: recently| just| finally)? (?:switched|migrated|moved) (?:from (?!the |a )[^,]{1,40} )?to (?<object>.+)`,
  ),
  told('project', `^${TEAM} (?:no longer|now) (?:use|deploy|support|release|ship)s? (?<object>.+)`),
  told(
    'project',
    `^(?:the |our |my )?(?:\\w+ ){0,2}(?:${EVENT})(?: (?:for|of) [^,]{1,40})? (?:was|has been|got|is now|will be)(?: been)? ?(?:moved|pushed|postponed|delayed|changed|brought forward)?(?: back| forward| out)? ?(?:to|until|till|on)? ?.{0,20}(?:${DATE})`,
  ),
]

export const ABOUT_THE_PROJECT: FactPattern[] = [
  told(
    'project',
    `^${TEAM} ${ADVERBS}(?:use|prefer|target|(?:don't|do not|doesn't|never) use)s? (?<object>.+)`,
    CODE,
  ),
  told(
    'project',
    `^${TEAM} ${ADVERBS}follows? (?<object>.*(?:guide|style|convention|workflow|process|flow|development|commits|semver|versioning|principle|standard|tdd|bdd|scrum|kanban|agile)s?\\b.*)`,
  ),
  told(
    'project',
    `^${TEAM} ${ADVERBS}(?:never )?(?:deploy|host|release|ship)s? (?:to|with|in|via|using|from|every|on (?:\\w+days\\b|the|[A-Z])|at|once|twice|weekly|daily|monthly)\\b ?(?<object>.+)?`,
    /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i,
  ),
  told(
    'project',
    `^${TEAM}(?:'ve| have| has)? (?:finally |already |also |all )?(?:decided|agreed|opted) (?:to|on|against|not to|that|for) (?<object>.+)`,
    /\b(?:do|leave|keep|try|postpone|skip|fix) it\b/i,
  ),
  told(
    'project',
    `^${TEAM}(?:'ve| have| has)? (?:finally |already |also |all )?(?:chose|chosen|settled on|standardi[sz]ed on|committed to|went with) (?<object>.+)`,
  ),
  told(
    'project',
    "^i(?:'ve| have)? decided (?:not )?to (?:use|adopt|go with|drop|switch to|migrate to) (?<object>.+)",
  ),
  told(
    'project',
    "^(?:we're|we are) (?:now )?(?:(?:migrating|moving|switching) (?:from .{1,40} )?to|migrating from) (?<object>.+)",
    /\bon to\b|\bto the\b/i,
  ),
  told(
    'project',
    `^(?:the |our |my )?(?:[\\w-]+ ){0,2}(?:${EVENT})(?: (?:for|of) [^,]{1,40}?)? (?:is|are|starts?|begins?|ends?|takes place|happens)(?: due| planned| scheduled| set| fixed| expected)?(?: for| on| in| at| by| from)? ?(?:the )?(?:${DATE})`,
  ),
  named(
    'project',
    `^[Oo]ur (?i:${PROJECT_ATTRIBUTE}) (?:is|are) (?:now |called |named |the |an? )*(?<thing>(?:\\p{Lu}|${TECHNOLOGY}|main\\b|master\\b|trunk\\b|npm\\b|pnpm\\b|yarn\\b|vitest\\b|jest\\b|pytest\\b|eslint\\b|biome\\b|prettier\\b).*)`,
  ),
  named(
    'project',
    `^(?:[Tt]he|[Oo]ur) (?:main |biggest )?(?:client|customer|sponsor) is (?:called )?(?<thing>${NAME})$`,
  ),
  told('project', '^the (?:main )?(?:goal|aim|purpose) of (?:the|this|our) project is (?<value>.+)'),
  told('project', '^(?:the|this|our) project is called (?<value>.+)'),
  named(
    'project',
    `^(?<thing>${NAME}) (?:now )?(?:leads|heads|runs|owns|maintains|manages|(?:has taken|took) over) (?:the|our) (?:[\\w-]+ ){1,3}(?:team|group|department|project|service|module|squad)(?: now)?$`,
  ),
  named(
    'project',
    `^(?:[Tt]he|[Oo]ur) (?:production|staging|development|dev|test|main|primary|backup|build) (?:cluster|servers?|database|environment|site|instance|region|data cent(?:er|re)) (?:is|are|runs|lives|sits) (?:hosted |located |deployed )?(?:in|on|at) (?<thing>\\p{Lu}[\\p{L}-]+)(?: \\p{Lu}[\\p{L}-]+)?$`,
  ),
]

const ONE_OF_MANY = '(?<!\\b(?:bug|issue|ticket|task|alert|incident|secret))'
const KEPT =
  ' (?:tracked|documented|stored|hosted|kept|found|listed|described|managed|discussed|filed|reported|collected|available|located|published|written up)'
/** What these say of bugs and issues is where they are kept, and no complaint. */
export const REFERENCES: FactPattern[] = [
  told(
    'reference',
    `^(?:the |our |my |all (?:the |our )?)?(?:[\\w-]+ ){0,3}?${DOCUMENT}(?: (?:for|of|about) [^,]{1,40}?)?(?: (?:is|are)(?: all| always| now)?${KEPT}| can be found|${ONE_OF_MANY} (?:is|are|lives?|sits?|goe?s?)(?: all| always| now)?) (?:down )?(?:at|in|on|under|via)(?: the| our)? ?(?:[\\w-]+ ){0,3}?${PLACE}`,
  ),
  told('reference', `^(?:the |our )?(?:[\\w-]+ ){0,2}?${DOCUMENT}(?: (?:is|are) here)?: ?${URL}`),
  told(
    'reference',
    `^(?:you can |you'll |you will )?find (?:the |our )?(?:[\\w-]+ ){0,3}?${DOCUMENT} (?:at|in|on) (?:the |our )?${PLACE}`,
  ),
  told(
    'reference',
    `^${TEAM} ${ADVERBS}(?:track|keep|store|document|file|report|discuss|manage|collect|publish)s? (?:all |our |the )?(?:[\\w-]+ ){0,3}?${DOCUMENT} (?:at|in|on) (?:the |our )?(?:[\\w-]+ )?${PLACE}`,
  ),
]
