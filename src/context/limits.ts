/** How much of each kind of thing fits, in a window of any size. */

export interface Limits {
  /** Tokens of a request beyond which the conversation is made shorter. */
  compactAt: number
  /** Tokens from which on old results of tools are cleared. */
  ageAt: number
  /** Tokens of the newest results that are never cleared while an older one can be. */
  freshResults: number
  /** What is left of a figure in this window. */
  scale: number
  /** Characters of one result. */
  resultCharacters: number
  /** Tokens that stay as they were said, when notes stand for the rest. */
  leastKept: number
  mostKept: number
  /** Tokens of one file, and of all skills, that are put back. */
  putBackFile: number
  putBackSkills: number
  /** Tokens of the list of skills (4-agent.md: a hundredth of the window), and of those that are shown in full. */
  skillList: number
  skillsInFull: number
  /** Tokens of a summary. */
  summary: number
  /** Tokens of new talk after which the session's notes are brought up to date. */
  notesEvery: number
  /** Characters of the memory index, and of the history that was not dreamt yet. */
  indexCharacters: number
  historyCharacters: number
  /** Characters of each of the owner's files, and of all that a project's files ask together. */
  ownersFileCharacters: number
  instructionCharacters: number
}

/** What the system prompt has room for. */
export type PromptRoom = Pick<
  Limits,
  | 'indexCharacters'
  | 'historyCharacters'
  | 'ownersFileCharacters'
  | 'instructionCharacters'
  | 'skillList'
  | 'skillsInFull'
>

/** From this window on the figures of 4-agent.md are taken as they are; below it they shrink with the window. */
const FULL_WINDOW = 100_000
/** Reserved for the reply, at most, and for what cannot be foreseen. */
const [RESERVED_OUTPUT, RESERVED] = [20_000, 13_000]
/** A tenth of the window for what a project asks, and a fortieth for each of the owner's files: 4 characters a token. */
const [INSTRUCTIONS, OWNERS_FILE] = [0.4, 0.1]
const [MOST_INSTRUCTIONS, MOST_OF_OWNERS_FILE] = [80_000, 20_000]

export function limitsFor({ window, maxOutput }: { window: number; maxOutput: number }): Limits {
  const scale = Math.min(1, window / FULL_WINDOW)
  const scaled = (figure: number) => Math.floor(figure * scale)
  const compactAt = window - Math.min(maxOutput, scaled(RESERVED_OUTPUT)) - scaled(RESERVED)
  return {
    compactAt,
    ageAt: Math.floor(compactAt * 0.6),
    freshResults: Math.floor(compactAt * 0.25),
    scale,
    resultCharacters: Math.max(1_000, scaled(100_000)),
    leastKept: scaled(10_000),
    mostKept: scaled(40_000),
    putBackFile: scaled(5_000),
    putBackSkills: scaled(25_000),
    skillList: Math.floor(window / 100),
    skillsInFull: Math.floor(window / 10),
    summary: Math.max(400, scaled(4_000)),
    notesEvery: Math.max(1_000, scaled(20_000)),
    indexCharacters: Math.max(1_500, scaled(25_000)),
    historyCharacters: Math.max(800, scaled(12_000)),
    ownersFileCharacters: Math.min(MOST_OF_OWNERS_FILE, Math.floor(window * OWNERS_FILE)),
    instructionCharacters: Math.min(MOST_INSTRUCTIONS, Math.floor(window * INSTRUCTIONS)),
  }
}
