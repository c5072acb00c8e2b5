import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { z } from 'zod'
import type { Tool } from '../tools/index.ts'

/** A tool as a model is told of it. */
export function toolForm({ name, description, input, form }: Tool): LanguageModelV4FunctionTool {
  const { $schema: _, ...inputSchema } = form ?? z.toJSONSchema(input, { io: 'input' })
  return {
    type: 'function',
    name,
    description,
    inputSchema: inputSchema as LanguageModelV4FunctionTool['inputSchema'],
  }
}
