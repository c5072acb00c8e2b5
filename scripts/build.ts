/** Builds `dist/` for publishing: JavaScript and types of everything but the tests, and the page. */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
execFileSync(process.execPath, ['scripts/page.ts'], { stdio: 'inherit' })
