/** What comes in, checked before anything is done with it. */
import type { Context } from 'hono'
import type { z } from 'zod'
import { ReverieError } from '../../../store/index.ts'

class BadRequest extends ReverieError {}

/** The body of a request; without one it is empty. */
export async function bodyOf<T extends z.ZodType>(context: Context, schema: T): Promise<z.output<T>> {
  const text = await context.req.text()
  let value: unknown = {}
  try {
    if (text !== '') value = JSON.parse(text)
  } catch (error) {
    throw new BadRequest('The body of a request is JSON; this is not.', { cause: error })
  }
  return checked(schema, value)
}

export function queryOf<T extends z.ZodType>(context: Context, schema: T): z.output<T> {
  return checked(schema, context.req.query())
}

function checked<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const told = result.error.issues.map(({ path, message }) => {
    const where = path.join('.')
    return where === '' ? message : `${where}: ${message}`
  })
  throw new BadRequest(`This cannot be done as it was asked: ${told.join('; ')}.`)
}

export function pathPart(context: Context, name: string): string {
  return context.req.param(name) ?? ''
}

/** What was left out is left out, and not undefined. */
export function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never
}
