export { Attention, type Claim } from './attention.ts'
export type { Priority, QueueItem } from './queue.ts'
