import { ReverieError } from '../store/index.ts'

/**
 * It could not be reached, or what it answered is none. Whatever it said is in the sentence, made harmless.
 * Apart from the connection, which brings the SDK with it.
 */
export class ServerTrouble extends ReverieError {}
