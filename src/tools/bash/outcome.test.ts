import { expect, test } from 'vitest'
import { SHELL_LIMITS } from './limits.ts'
import { type Outcome, outcomeNotes, taskSummary } from './outcome.ts'
import { OutputWindow } from './output-window.ts'
import type { Finish } from './running-command.ts'

const FINE: Finish = { exitCode: 0, signal: null, reason: undefined }
const KILLED: Finish = { exitCode: null, signal: 'SIGKILL', reason: undefined }
const CLEAN = { leftBehind: 0, killed: false, survivors: [] }

const OUTCOME: Outcome = {
  finish: FINE,
  cleaning: CLEAN,
  limits: SHELL_LIMITS,
  timeoutMs: 120_000,
  prompt: undefined,
  fileProblem: undefined,
  silent: false,
}

const ended = (reason: Finish['reason']) => ({ finish: { ...KILLED, reason } })

test.each<[string, Partial<Outcome>, RegExp]>([
  ['nothing to say', {}, /^$/],
  ['silence', { silent: true }, /^It printed nothing\.$/],
  ['an exit code', { finish: { ...FINE, exitCode: 2 } }, /^Exit code 2\.$/],
  ['a signal', { finish: KILLED }, /^Ended by a signal: SIGKILL\.$/],
  ['its time', ended('timeout'), /not done after 120 s\. Give it more time with timeoutMs/],
  ['an interrupt', ended('interrupted'), /interrupted/],
  ['a stop', ended('stopped'), /stopped/],
  ['too much output', ended('too much output'), /more than 100 MB\. Print less/],
  [
    'a question',
    { ...ended('asks'), prompt: { line: 'Go on?', advice: 'pass --yes' } },
    /\("Go on\?"\), and nobody can type one here\. To run it without: pass --yes\./,
  ],
  [
    'stubbornness',
    { ...ended('timeout'), cleaning: { ...CLEAN, killed: true } },
    /SIGTERM and was killed\.$/,
  ],
  ['one left', { cleaning: { ...CLEAN, leftBehind: 1 } }, /^1 process that it left running was ended/],
  ['two left', { cleaning: { ...CLEAN, leftBehind: 2 } }, /^2 processes that it left running were ended/],
  ['survivors', { cleaning: { ...CLEAN, survivors: [7, 8] } }, /still running: 7, 8 \(process ids\)/],
  ['a full disk', { fileProblem: 'the disk is full (ENOSPC)' }, /kept in full: the disk is full/],
])('%s', (_, change, said) => {
  expect(outcomeNotes({ ...OUTCOME, ...change }).join('\n')).toMatch(said)
})

test.each<[Finish, string]>([
  [FINE, '"t" completed. Its last line: last'],
  [{ ...FINE, exitCode: 1 }, '"t" failed with exit code 1. Its last line: last'],
  [KILLED, '"t" failed: it was ended by SIGKILL. Its last line: last'],
  [{ ...KILLED, reason: 'stopped' }, '"t" was stopped. Its last line: last'],
])('the summary of %j', (finish, summary) => {
  const output = new OutputWindow(100)
  output.add(Buffer.from('first\nlast\n\n'))
  expect(taskSummary('t', finish, output)).toBe(summary)
  expect(taskSummary('t', finish, new OutputWindow(100))).toMatch(/It printed nothing\.$/)
})
