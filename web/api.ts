/** Asking the server. What goes wrong is a sentence, which the server has written. */
import { signal } from '@preact/signals'

export class Refused extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** This browser's cookie is not known any more: nothing works until it comes with a new link. */
export const isLockedOut = signal(false)

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response
  try {
    response = await fetch(`/api/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: { 'Content-Type': 'application/json' },
    })
  } catch {
    throw new Refused('Reverie cannot be reached. Is `reverie web` still running?', 0)
  }
  if (response.status === 401) isLockedOut.value = true
  const answer = (await response.json().catch(() => undefined)) as (T & { error?: string }) | undefined
  if (!response.ok)
    throw new Refused(answer?.error ?? `The server answered ${response.status}.`, response.status)
  if (answer === undefined) throw new Refused('What answered is not Reverie.', response.status)
  return answer
}

export const api = {
  get: <T>(path: string) => ask<T>('GET', path),
  post: <T>(path: string, body: unknown = {}) => ask<T>('POST', path, body),
  patch: <T>(path: string, body: unknown) => ask<T>('PATCH', path, body),
  put: <T>(path: string, body: unknown) => ask<T>('PUT', path, body),
  delete: <T>(path: string) => ask<T>('DELETE', path),
}

export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
