import { ReverieError } from '../../store/index.ts'

/** A settings file that is left alone, with the sentence that says why. */
export class CannotEdit extends ReverieError {}
