export type {
  Dreamed,
  DreamMaterial,
  DreamMemory,
  Finding,
  GatheredTurn,
  GatherReason,
  ProposedChange,
} from './dreamer.ts'
