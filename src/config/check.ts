import type { z } from 'zod'
import { ReverieError } from '../store/index.ts'
import { type Config, configSchema } from './schema.ts'
import { allSettings, settingAt, suggestion } from './settings.ts'

/** A config file that cannot be used. The message names the file, the key, and what would be right. */
export class ConfigError extends ReverieError {}

export type ConfigOwner = 'owner' | 'project'

/** Checks the parsed content of one config file; returns it as it is, without defaults. */
export function checkConfig(file: string, content: unknown, owner: ConfigOwner): Record<string, unknown> {
  const result = configSchema.safeParse(content)
  const problems = result.success ? [] : result.error.issues.flatMap(issue => describe(issue))
  if (owner === 'project') problems.push(...notForProjects(content, result.success))
  if (problems.length > 0)
    throw new ConfigError([...new Set(problems)].map(text => `${file}: ${text}`).join('\n'))
  return content as Record<string, unknown>
}

/** The settings with every default filled in. */
export function completeConfig(content: Record<string, unknown>): Config {
  return configSchema.parse(content)
}

function describe(issue: z.core.$ZodIssue): string[] {
  const at = issue.path.join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(name => unknownKey(at === '' ? name : `${at}.${name}`))
  if (issue.code === 'invalid_key')
    return [`"${at}": ${issue.issues[0]?.message ?? 'the name is not allowed'}.`]
  const what = issue.message.replace(/^Invalid input: /, '')
  return [at === '' ? `it should hold a JSON object: ${what}.` : `"${at}": ${what}.`]
}

export function unknownKey(key: string): string {
  const near = suggestion(key)
  return `"${key}" is not a setting${near ? `; did you mean "${near}"?` : '. `reverie config get` lists them.'}`
}

/** A repository that somebody downloaded must not point memory, keys or commands anywhere. */
function notForProjects(content: unknown, isValid: boolean): string[] {
  return keysOf(content)
    .filter(key => {
      const setting = settingAt(key)
      // What the schema takes is some setting, whatever its name looks like.
      return setting ? !setting.project : isValid
    })
    .map(
      key =>
        `"${key}" can only be set by you, not by a project. Projects may set: ${projectKeys().join(', ')}.`,
    )
}

function projectKeys(): string[] {
  return allSettings().flatMap(({ key, project }) => (project ? [key] : []))
}

/** The keys of all values, `a.b.c`, in the order in which they stand. */
export function keysOf(value: unknown, prefix: string[] = []): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return prefix.length > 0 ? [prefix.join('.')] : []
  return Object.entries(value).flatMap(([name, inner]) => keysOf(inner, [...prefix, name]))
}
