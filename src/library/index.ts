export { type CreateAgentOptions, createAgent, EmbeddedAgent, type SendOptions } from './agent.ts'
export { Answer, type Answered, NotAnswered } from './answer.ts'
export { type OpenedMemory, type OpenMemoryOptions, openMemory } from './memory.ts'
export { type JsonSchema, type PlainTool, type ToolResult, type TypedTool, tool } from './tool.ts'
