/** What a session is given from memory. */
import { findProject, homeAt, loadConfig } from '../../config/index.ts'
import { LENT_FENCE, Memory, RECALLED_AT_MOST, recalledText } from '../../memory/index.ts'

export interface LookTask {
  home: string
  directory: string
  /** The index at the beginning of a session; else what answers the prompt. */
  prompt: string | undefined
  shown: readonly string[]
}

export interface Look {
  context: string
  shown: string[]
}

/** What Claude Code and Cursor take as it is; what is longer they put into a file and show the beginning of. */
const MOST_CHARACTERS = 9_500
const INDEX_CHARACTERS = [7_000, 4_500, 3_000, 1_500]
/** Of a long prompt both ends are asked about. */
const LONGEST_QUESTION = 4_000
/** How long a database that somebody else writes to is waited for. */
const PATIENCE_MS = 250

export async function look({ home: path, directory, prompt, shown }: LookTask): Promise<Look> {
  const home = homeAt(path)
  const project = findProject(directory)
  // Not the project's settings: this runs wherever another agent is started, also in what somebody downloaded.
  const { config } = await loadConfig({ home, project: undefined, env: process.env, flags: {} })
  using memory = await Memory.open({ home, project, directory: config.memory.dir, patienceMs: PATIENCE_MS })
  if (prompt === undefined) return { context: marked(await index(memory)), shown: [] }
  const recalled = await memory.recall(question(prompt), { k: RECALLED_AT_MOST, shown })
  while (recalledText(recalled).length > MOST_CHARACTERS) recalled.pop()
  return {
    context: marked(recalledText(recalled)),
    shown: recalled.map(({ scope, file }) => `${scope}/${file}`),
  }
}

/** So that it is told from what the person said, wherever the other agent puts it. */
function marked(text: string): string {
  return text === '' ? '' : `<${LENT_FENCE}>\n${text.trim()}\n</${LENT_FENCE}>`
}

async function index(memory: Memory): Promise<string> {
  let text = await memory.prompt({ reader: 'lent' })
  for (const indexCharacters of INDEX_CHARACTERS) {
    if (text.length <= MOST_CHARACTERS) break
    text = await memory.prompt({ reader: 'lent', indexCharacters })
  }
  return text
}

function question(prompt: string): string {
  if (prompt.length <= LONGEST_QUESTION) return prompt
  return `${prompt.slice(0, LONGEST_QUESTION / 2)}\n${prompt.slice(-LONGEST_QUESTION / 2)}`
}
