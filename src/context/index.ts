export * from './attachments.ts'
export * from './compaction.ts'
export * from './prompts.ts'
export * from './system.ts'
