import type { ShellLimits } from './limits.ts'
import type { OutputWindow } from './output-window.ts'
import type { Prompt } from './prompt-noticed.ts'
import type { Cleaning, Finish } from './running-command.ts'
import { readable } from './shown-output.ts'

/** All that is to be said of a command that has ended, besides what it printed. */
export interface Outcome {
  finish: Finish
  cleaning: Cleaning
  limits: ShellLimits
  timeoutMs: number
  prompt: Prompt | undefined
  fileProblem: string | undefined
  silent: boolean
}

/** Sentences for the model: how it ended, and what it should know to go on. */
export function outcomeNotes(outcome: Outcome): string[] {
  const { finish, cleaning, fileProblem, silent } = outcome
  const notes = [howItEnded(outcome)]
  if (silent && finish.reason === undefined) notes.unshift('It printed nothing.')
  if (finish.reason !== undefined && cleaning.killed)
    notes.push('It did not react to SIGTERM and was killed.')
  if (cleaning.leftBehind > 0)
    notes.push(
      `${processes(cleaning.leftBehind)} that it left running ${cleaning.leftBehind === 1 ? 'was' : 'were'} ended. ` +
        'What should go on running has to be started with background: true, without &.',
    )
  if (cleaning.survivors.length > 0)
    notes.push(`Could not be ended, and still running: ${cleaning.survivors.join(', ')} (process ids).`)
  if (fileProblem !== undefined) notes.push(`Its output could not be kept in full: ${fileProblem}.`)
  return notes.filter(note => note !== '')
}

function howItEnded({ finish, limits, timeoutMs, prompt }: Outcome): string {
  switch (finish.reason) {
    case 'timeout':
      return `Ended by Reverie: it was not done after ${seconds(timeoutMs)}. Give it more time with timeoutMs, or run it with background: true.`
    case 'interrupted':
      return 'Ended by Reverie: the person interrupted it.'
    case 'stopped':
    case 'closed':
      return 'Ended by Reverie: it was stopped.'
    case 'too much output':
      return `Ended by Reverie: it printed more than ${Math.floor(limits.fileBytes / 1024 / 1024)} MB. Print less, or into a file.`
    case 'asks':
      return (
        `Ended by Reverie: it waits for an answer ("${prompt?.line ?? ''}"), and nobody can type one here. ` +
        `To run it without: ${prompt?.advice ?? 'give it all it asks for beforehand'}.`
      )
    case undefined:
      return exited(finish)
  }
}

function exited({ exitCode, signal }: Finish): string {
  if (signal !== null) return `Ended by a signal: ${signal}.`
  return exitCode === 0 ? '' : `Exit code ${exitCode}.`
}

const LAST_LINE = 200

/** One or two sentences about a background command that has ended. */
export function taskSummary(title: string, finish: Finish, output: OutputWindow): string {
  const last = readable(output.end(LAST_LINE * 4))
    .trimEnd()
    .split('\n')
    .at(-1)
    ?.trim()
    .slice(-LAST_LINE)
  return `"${title}" ${how(finish)}.${last ? ` Its last line: ${last}` : ' It printed nothing.'}`
}

function how({ reason, exitCode, signal }: Finish): string {
  switch (reason) {
    case 'stopped':
    case 'closed':
    case 'interrupted':
      return 'was stopped'
    case 'timeout':
      return 'failed: it took longer than its timeoutMs and was ended'
    case 'too much output':
      return 'failed: it printed too much and was ended'
    case 'asks':
      return 'failed: it waited for an answer and was ended'
    case undefined:
      if (signal !== null) return `failed: it was ended by ${signal}`
      return exitCode === 0 ? 'completed' : `failed with exit code ${exitCode}`
  }
}

export function seconds(milliseconds: number): string {
  return `${Number((milliseconds / 1000).toFixed(1))} s`
}

function processes(count: number): string {
  return count === 1 ? '1 process' : `${count} processes`
}
