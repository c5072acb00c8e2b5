import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { DEFAULTS, homeAt } from '../config/index.ts'
import { Memory } from '../memory/index.ts'
import { openModel } from '../models/index.ts'
import { type Line, startFakeProvider } from '../models/wire.fixture.ts'
import { type Message, type MessageOrigin, newMessageId, type Part, type Usage } from '../session/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { type ExtractionOptions, embeddedExtractor, extract, modelExtractor } from './index.ts'

const NOW = new Date('2026-04-08T10:00:00Z')

/** A talk that grows, and what is to be learnt from it; by a model on the wire where lines for it are given. */
export async function talk(...lines: Line[]) {
  const root = temporaryDirectory()
  const [home, project] = [homeAt(join(root, 'home')), { root, slug: 'p-1' }]
  const memory = await Memory.open({ home, project })
  onTestFinished(() => memory[Symbol.dispose]())
  const provider = await startFakeProvider()
  onTestFinished(() => provider[Symbol.asyncDispose]())
  provider.sayToExtraction(...lines)
  const settings = { ...DEFAULTS, providers: provider.settings('anthropic') }
  const model = await openModel('anthropic/claude-test', settings, {})
  const messages: Message[] = []
  const put = (role: Message['role'], origin: MessageOrigin, parts: readonly Part[]) => {
    const at = new Date(NOW.getTime() + messages.length * 1_000).toISOString()
    messages.push({ id: newMessageId(), role, origin, at, parts })
  }
  const text = (said: string): Part[] => [{ type: 'text', text: said }]
  const spent: Usage[] = []
  const cursorPath = join(memory.state('project'), 's1.learnt.json')
  return {
    root,
    memory,
    provider,
    messages,
    spent,
    cursorPath,
    says: (said: string, origin: MessageOrigin = 'person') => put('user', origin, text(said)),
    answers: (said: string) => put('assistant', 'model', text(said)),
    returns: (tool: string, said: string) =>
      put('tool', 'tool', [
        { type: 'tool-result', call: 'c1', tool, outcome: 'ok', content: [{ type: 'text', text: said }] },
      ]),
    recalls: (said: string) =>
      put('user', 'memory', [{ type: 'attachment', kind: 'memories', origin: 'memory', text: said }]),
    extract: (options: Partial<ExtractionOptions> = {}) =>
      extract(
        {
          memory,
          session: 's1',
          cursorPath,
          messages,
          extractor: async () =>
            lines.length > 0 ? modelExtractor({ model, idleMs: 5_000 }) : embeddedExtractor,
          approval: 'auto',
          signal: new AbortController().signal,
          now: NOW,
          ...options,
        },
        usage => spent.push(usage),
      ),
  }
}
