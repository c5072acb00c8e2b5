import type { ProviderKind } from './catalogue.ts'
import { ModelUnavailable } from './model-id.ts'

/** Where Ollama listens when nobody says otherwise. */
const OLLAMA_PORT = '11434'

const VERSION = /\/v\d+[a-z0-9]*$/

/**
 * The address as the AI SDK wants it: with its version, without a slash at the end. People write addresses as
 * the vendors' own tools take them, and these differ: Anthropic's come without `/v1`, OpenAI's with it, those of
 * local servers often as a bare host.
 */
export function normaliseAddress(address: string, kind: ProviderKind): string {
  const bare = address.replace(/\/+$/, '')
  if (kind === 'bedrock' || kind === 'vertex' || VERSION.test(bare)) return bare
  const isOrigin = new URL(bare).pathname === '/'
  if (kind === 'anthropic') return `${bare}/v1`
  if (kind === 'google') return isOrigin ? `${bare}/v1beta` : bare
  return isOrigin ? `${bare}/v1` : bare
}

/** An address from a variable of the environment; `OLLAMA_HOST` may be a host, a port, or both. */
export function addressFrom(variable: string, value: string): string {
  const text = variable === 'OLLAMA_HOST' ? ollamaAddress(value) : value
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new ModelUnavailable(`${variable} should hold an address such as http://127.0.0.1:${OLLAMA_PORT}.`)
  return text
}

/** A server that listens everywhere (`0.0.0.0`) is reached here. */
function ollamaAddress(value: string): string {
  const [, scheme = 'http://', rest = ''] = /^(https?:\/\/)?(.*)$/.exec(value.trim()) ?? []
  const [, host = '', port, path = ''] = /^(\[[^\]]*\]|[^:/]*)(?::(\d+))?(\/.*)?$/.exec(rest) ?? []
  const here = host === '' || host === '0.0.0.0' || host === '[::]' ? '127.0.0.1' : host
  const usual = scheme === 'https://' || value.includes('://') ? '' : `:${OLLAMA_PORT}`
  return `${scheme}${here}${port ? `:${port}` : usual}${path}`
}
