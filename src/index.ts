/** The library: what programs that embed Reverie import. */
export { ReverieError } from './store/index.ts'
