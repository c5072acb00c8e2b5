import { DEV_BANK } from './dev-bank.ts'

export const HELD_OUT_BANK = { ...DEV_BANK, name: 'held-out' }
