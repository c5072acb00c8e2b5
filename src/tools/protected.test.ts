import { expect, test } from 'vitest'
import { protection } from './protected.ts'

const own = { reverie: '/home/me/.reverie', protected: ['/work/app/vault'] }

test.each([
  '/work/app/.env',
  '/work/app/.env.local',
  '/work/app/.ENV',
  '/work/app/deploy/server.pem',
  '/home/me/.ssh/config',
  '/home/me/.aws/x',
  '/work/app/id_rsa',
  '/work/app/.git/config',
  '/work/app/.git/config.worktree',
  '/work/app/git~1/config',
  '/work/app/.git./config',
  '/work/app/.g\u200dit/config',
  '/home/me/.bashrc',
  '/home/me/.zsh_history',
  '/work/app/.npmrc',
  '/work/app/config/credentials.yml',
  '/home/me/.reverie/config.json',
  '/home/me/.Reverie/memory/a.md',
  '/work/app/.reverie/config.json',
  '/work/app/vault/deep/x',
  '/work/app/deploy/prod.env',
  '/work/app/id_rsa.old',
  '/home/me/.bash_aliases',
])('%s needs a yes to be read', path => {
  expect(protection(path, 'read', own)).toBeDefined()
  expect(protection(path, 'write', own)).toBeDefined()
})

test.each([
  '/work/app/.git/hooks/pre-commit',
  '/work/app/.git/index',
  '/work/app/.github/workflows/ci.yml',
  '/work/app/.gitlab-ci.yml',
  '/work/app/.husky/pre-push',
  '/work/app/.vscode/settings.json',
  '/work/app/.mcp.json',
  '/work/app/.claude/settings.json',
  '/work/app/.cursor/mcp.json',
  '/work/app/.forgejo/workflows/x.yaml',
  '/work/app/.githooks/pre-commit',
  '/work/app/.cargo/config.toml',
  '/work/app/.yarnrc.yml',
  '/work/app/lefthook.yml',
  '/home/me/.config/autostart/x.desktop',
])('%s needs a yes to be written only', path => {
  expect(protection(path, 'write', own)).toBeDefined()
  expect(protection(path, 'read', own)).toBeUndefined()
})

test.each([
  '/work/app/src/env.ts',
  '/work/app/.env.example',
  '/work/app/src/key.ts',
  '/work/app/src/id_map.ts',
  '/work/app/keys/id_ed25519.pub',
  '/work/app/src/claude/settings.json',
  '/work/app/.gitignore',
  '/work/app/.github/README.md',
  '/work/app/credentials-form.tsx',
  '/work/app/vaults',
  '/home/me/.reverie-notes/x',
])('%s is like any other', path => {
  expect(protection(path, 'write', own)).toBeUndefined()
})
