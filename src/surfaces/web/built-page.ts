/** Where the built page is. A package has it; a checkout makes it when its sources are newer. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { because, ReverieError } from '../../store/index.ts'

class PageNotBuilt extends ReverieError {}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

export async function builtPage(): Promise<string> {
  const script = join(ROOT, 'scripts', 'page.ts')
  if (existsSync(join(ROOT, 'web', 'index.html')) && existsSync(script))
    await promisify(execFile)(process.execPath, [script], { cwd: ROOT }).catch(error => {
      throw new PageNotBuilt(`The page could not be built: ${because(error)}. Run \`npm install\` first.`, {
        cause: error,
      })
    })
  return join(ROOT, 'dist', 'web')
}
