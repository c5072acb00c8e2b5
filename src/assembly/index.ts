/** Where the rooms come together: what every surface, the terminal's or the page's, opens and asks for. */
export { type Conversation, type ConversationOptions, openConversation } from './conversation.ts'
export type { ConversationJobs } from './conversation-jobs.ts'
export {
  type ConversationEvent,
  Conversations,
  type HeldConversation,
  type OpenQuestion,
} from './conversations.ts'
export { asideLine, dreamContext, dreamLine } from './dreaming.ts'
export { asidesOf, extractorFor } from './extracting.ts'
export { type ManualRun, Scheduling } from './scheduling.ts'
