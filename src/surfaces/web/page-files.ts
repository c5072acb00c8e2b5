/** The built page, held in memory: it is small, and what is served is what was there at the start. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { Context, MiddlewareHandler } from 'hono'
import { ReverieError } from '../../store/index.ts'

interface PageFile {
  body: Buffer<ArrayBuffer>
  type: string
  tag: string
}

/** By path, such as `/assets/index.js`. */
export type PageFiles = ReadonlyMap<string, PageFile>

class NoPage extends ReverieError {}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
}
const INDEX = '/index.html'

export function readPage(directory: string): PageFiles {
  if (!existsSync(join(directory, INDEX)))
    throw new NoPage(`The page is missing from ${directory}. In a checkout, \`npm run page\` builds it.`)
  const files = new Map<string, PageFile>()
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const path = join(entry.parentPath, entry.name)
    const body = readFileSync(path)
    const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    files.set(`/${relative(directory, path).split(sep).join('/')}`, { body, type, tag })
  }
  return files
}

/** Any address without a file is a view of the page, also one that names a memory such as `x.md`. */
export function servePage(files: PageFiles): MiddlewareHandler {
  return async context => {
    const file = files.get(context.req.path)
    if (file) return send(context, file, context.req.path.startsWith('/assets/'))
    const index = files.get(INDEX)
    if (!index || context.req.path.startsWith('/assets/')) return context.notFound()
    return send(context, index, false)
  }
}

/** Names below assets/ change with their content. */
function send(context: Context, { body, type, tag }: PageFile, isHashed: boolean): Response {
  context.header('ETag', tag)
  context.header('Cache-Control', isHashed ? 'private, max-age=31536000, immutable' : 'no-cache')
  if (context.req.header('if-none-match') === tag) return context.body(null, 304)
  return context.body(body, 200, { 'Content-Type': type })
}
