/** What can be asked of work in the background, by a command or in a conversation. */
import { stripVTControlCharacters } from 'node:util'
import { type BackgroundTask, isFinal, type TaskOutput } from '../../work/index.ts'
import { printable } from '../text/printable.ts'
import { table } from '../text/table.ts'

export function listText(tasks: readonly BackgroundTask[], columns?: number): string {
  if (tasks.length === 0) return 'Nothing has run in the background.'
  return table(
    tasks.map(task => [task.id, task.status, whenText(task), oneLine(`${task.title}${detail(task)}`)]),
    columns,
  )
}

/** What is known of a task, and then what it printed. */
export function showText(task: BackgroundTask, output: TaskOutput): string {
  const cut = output.from > 0 ? [`(the last ${output.next - output.from} of ${output.size} bytes)`] : []
  return [...headLines(task), ...cut, '', outputText(output.text)].join('\n').trimEnd()
}

export function headLines(task: BackgroundTask): string[] {
  const { id, status, title, exitCode, summary, waitingFor, problem, outputFile } = task
  const code = typeof exitCode === 'number' ? `, exit code ${exitCode}` : ''
  return [
    `${id} ${status}${code}: ${oneLine(title)}`,
    ...(waitingFor === undefined ? [] : [`waits for an answer: ${oneLine(waitingFor)}`]),
    ...(summary === undefined ? [] : [oneLine(summary)]),
    ...(problem === undefined ? [] : [oneLine(problem)]),
    printable(outputFile),
  ]
}

export function stoppedText({ id, status }: BackgroundTask, before: BackgroundTask['status']): string {
  if (isFinal(before)) return `${id} had ended before: ${before}.`
  return status === 'cancelled' ? `${id} was stopped.` : `${id} ended in the meantime: ${status}.`
}

/** Without colours, and with nothing that steers a terminal. */
export function outputText(text: string): string {
  return printable(stripVTControlCharacters(text))
}

function detail({ waitingFor, progress, status }: BackgroundTask): string {
  if (waitingFor !== undefined) return ` (waits for an answer: ${waitingFor})`
  return progress !== undefined && !isFinal(status) ? ` (${progress})` : ''
}

function whenText({ createdAt }: BackgroundTask): string {
  return new Date(createdAt).toLocaleString('sv').slice(0, 'YYYY-MM-DD HH:MM'.length)
}

function oneLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, ' ')
}
