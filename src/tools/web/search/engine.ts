import { ReverieError } from '../../../store/index.ts'

/** Searching the web is not set up, or the engine does not answer as it should. Never holds the key. */
export class SearchFailed extends ReverieError {}

export interface Found {
  title: string
  url: string
  snippet: string
  /** When it was published, as the engine says it. */
  age: string | undefined
}

/** How one engine is asked and what it answers: values only. */
export interface Engine {
  name: string
  /** Where to ask, without secrets. */
  address(query: string, count: number): URL
  headers: Record<string, string>
  /** From the body of a good answer, parsed. */
  results(answer: unknown): Found[]
  /** What to do about an answer that is not good. */
  advice(status: number): string
}
