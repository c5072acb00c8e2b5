/** Tools of the program that embeds the agent. */
import { z } from 'zod'
import { defineTool, type Tool, type ToolContext, type ToolOutput } from '../tools/tool.ts'

/** What a model is told that a tool takes, in JSON Schema. */
export type JsonSchema = { readonly type: 'object'; readonly [key: string]: unknown }

interface About {
  /** Letters, digits, `_` and `-`: that is what providers take. */
  name: string
  /** For the model: when to use it, and what comes back. */
  description: string
  /** It changes nothing: it may be used in plan mode, and run beside others that are. */
  readOnly?: boolean
}

/** What a tool returns: text for the model, or an output with images. */
export type ToolResult = string | ToolOutput

/** With a schema of zod, whose input is typed. */
export interface TypedTool<Schema extends z.ZodType> extends About {
  input: Schema
  run(input: z.output<Schema>, context: ToolContext): ToolResult | Promise<ToolResult>
}

/** With JSON Schema, by which the input is checked. */
export interface PlainTool extends About {
  parameters: JsonSchema
  // biome-ignore lint/suspicious/noExplicitAny: what a schema of JSON lets through has no type
  run(input: any, context: ToolContext): ToolResult | Promise<ToolResult>
}

const NAME = /^[\w-]{1,64}$/

/**
 * A tool for `createAgent`. An error that it throws is told to the model, which may try something else.
 *
 * ```ts
 * const weather = tool({
 *   name: 'weather',
 *   description: 'The weather in a city, now.',
 *   parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
 *   run: ({ city }) => `It is sunny in ${city}.`,
 * })
 * ```
 */
export function tool<Schema extends z.ZodType>(definition: TypedTool<Schema>): Tool
export function tool(definition: PlainTool): Tool
export function tool(definition: TypedTool<z.ZodType> | PlainTool): Tool {
  const { name, description, readOnly = false } = definition
  if (!NAME.test(name) || name.startsWith('mcp__'))
    throw new RangeError(
      `${JSON.stringify(name)} cannot be the name of a tool: up to 64 letters, digits, "_" and "-", not beginning with "mcp__".`,
    )
  const isPlain = 'parameters' in definition
  return defineTool({
    name,
    description,
    readOnly,
    input: isPlain
      ? z.fromJSONSchema(definition.parameters as Parameters<typeof z.fromJSONSchema>[0])
      : definition.input,
    ...(isPlain && { form: definition.parameters }),
    async run(input, context) {
      const result = await definition.run(input, context)
      if (typeof result === 'string') return { text: result }
      if (typeof result?.text === 'string') return result
      throw new TypeError('It returned no text: a tool returns a string, or { text, images }.')
    },
  })
}
