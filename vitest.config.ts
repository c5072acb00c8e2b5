import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // As the examples import it: the package by its name.
  resolve: { alias: { reverie: fileURLToPath(new URL('src/index.ts', import.meta.url)) } },
  test: {
    include: ['{src,web,scripts,bench,torture,examples}/**/*.test.ts'],
    reporters: ['default', './scripts/plain-line-reporter.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What is waited for comes; on a busy machine it comes late.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    // More than two processors: many tests wait for a process of their own.
    maxWorkers: 3,
  },
})
