import { ReverieError } from '../store/index.ts'

/** Something was asked for that needs memory, with `--no-memory`. */
export class MemoryIsOff extends ReverieError {
  constructor(message = 'Memory is off (--no-memory): nothing is recalled and nothing is kept.') {
    super(message)
  }
}
