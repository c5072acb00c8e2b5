/**
 * A failure that a person can act on. The message is one or two sentences: what happened, what to do.
 * Anything thrown that is not a ReverieError is a defect of ours and is shown with its stack.
 */
export class ReverieError extends Error {
  override name = this.constructor.name
}

/** The operating system's own code (`ENOENT`, `EACCES`…), if `error` carries one. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

const SENTENCES: Record<string, string> = {
  EACCES: 'permission was denied',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a directory',
  ENOTDIR: 'part of its path is not a directory',
  ENOENT: 'it does not exist',
  ELOOP: 'its symbolic links lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
}

/** Why a file operation failed, in words. */
export function because(error: unknown): string {
  const code = systemCode(error)
  const sentence = code && SENTENCES[code]
  if (sentence) return `${sentence} (${code})`
  return error instanceof Error ? error.message : String(error)
}

/** The same where the sentence goes on, or ends with a full stop of its own. */
export function becauseOf(error: unknown): string {
  return because(error).replace(/\.$/, '')
}
