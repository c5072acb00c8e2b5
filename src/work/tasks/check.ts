/** Whether what somebody wants a task to be can be. Throws BadTask with what would be right. */
import { BadTask } from './errors.ts'
import {
  LONGEST_DESCRIPTION,
  LONGEST_METADATA,
  LONGEST_OWNER,
  LONGEST_SUBJECT,
  type Task,
  type TaskDraft,
  type TaskOwner,
} from './task.ts'

/** Metadata with changes merged in, of which null removes a key. */
export function mergedMetadata(
  before: Task['metadata'],
  changes: Task['metadata'] | undefined,
): Task['metadata'] {
  const all = { ...before, ...changes }
  const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
  checkMetadata(kept)
  return kept
}

export function checkedDraft(draft: TaskDraft) {
  const { metadata = {} } = draft
  checkMetadata(metadata)
  const { subject = '', description = '', activeForm = '' } = checkedFields(draft)
  if (subject === '') throw new BadTask('A task needs a subject: what is to be done, in a few words.')
  return { subject, description, activeForm, metadata }
}

type Fields = Partial<Pick<Task, 'subject' | 'description' | 'activeForm'>>

/** The texts that are given, checked. */
export function checkedFields({
  subject,
  description,
  activeForm,
}: Omit<TaskDraft, 'subject'> & { subject?: string | undefined }): Fields {
  const line = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
  const fields: Fields = {
    ...(subject !== undefined && { subject: line(subject) }),
    ...(description !== undefined && { description }),
    ...(activeForm !== undefined && { activeForm: line(activeForm) }),
  }
  if (fields.subject === '') throw new BadTask('A task needs a subject: what is to be done, in a few words.')
  checkLength('The subject', fields.subject, LONGEST_SUBJECT)
  checkLength('The active form', fields.activeForm, LONGEST_SUBJECT)
  checkLength('The description', fields.description, LONGEST_DESCRIPTION)
  return fields
}

function checkLength(what: string, text: string | undefined, most: number): void {
  if (text !== undefined && text.length > most)
    throw new BadTask(`${what} of a task has at most ${most} characters; this one has ${text.length}.`)
}

function checkMetadata(metadata: Readonly<Record<string, unknown>>): void {
  checkLength('The metadata', JSON.stringify(metadata), LONGEST_METADATA)
}

export function checkOwner({ name }: TaskOwner): void {
  if (name.trim() === '') throw new BadTask('An owner has a name.')
  checkLength("The owner's name", name, LONGEST_OWNER)
}
