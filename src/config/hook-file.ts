import { z } from 'zod'
import { hookSchema } from './schema.ts'

const FILE = z.array(hookSchema)

/** The hooks in a project's own file. */
export function parseHooks(text: string): { hooks: z.output<typeof FILE> } | { problem: string } {
  try {
    const parsed = FILE.safeParse(JSON.parse(text))
    if (parsed.success) return { hooks: parsed.data }
    const [issue] = parsed.error.issues
    return { problem: `${issue?.path.join('.') || 'it'}: ${issue?.message}.` }
  } catch {
    return { problem: 'it is not JSON.' }
  }
}
