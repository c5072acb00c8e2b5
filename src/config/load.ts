import { existsSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { because, ReverieError, readSmallFile, systemCode } from '../store/index.ts'
import { DEFAULTS, MODEL_FORM, MODEL_PATTERN } from './defaults.ts'
import { assertHomeFormat, expandTilde, type Home, homeAt } from './home.ts'
import type { Project } from './project.ts'
import type { Config } from './schema.ts'

/** A config file that is there but cannot be read or is not JSON. */
export class ConfigUnreadable extends ReverieError {}

/** A flag or a variable of the environment that cannot be used. */
export class InvalidSetting extends ReverieError {}

export type Source = 'flag' | 'environment' | 'owner' | 'project' | 'default'

export interface LoadedConfig {
  config: Config
  /** Where the value of a key came from; a key that is not listed has its default. */
  sources: Map<string, Source>
}

export interface ConfigFlags {
  model?: string | undefined
  memoryDir?: string | undefined
}

export interface LoadOptions {
  home: Home
  project: Project | undefined
  env: NodeJS.ProcessEnv
  flags: ConfigFlags
}

export function projectConfigPath(project: Project): string {
  return join(project.root, '.reverie', 'config.json')
}

/** Flags win over the environment, that over the owner's config, that over the project's. */
export async function loadConfig({ home, project, env, flags }: LoadOptions): Promise<LoadedConfig> {
  assertHomeFormat(home)
  const owner = readConfigFile(home.config)
  const projectFile = project && projectConfigPath(project)
  const isOwners =
    projectFile !== undefined &&
    [home, homeAt('~/.reverie')].some(({ config }) => sameFile(projectFile, config))
  const fromProject = projectFile === undefined || isOwners ? undefined : readConfigFile(projectFile)
  const loaded = await combine([
    { source: 'project', file: projectFile ?? '', content: fromProject },
    { source: 'owner', file: home.config, content: owner },
  ])
  // What stands in the config means the same wherever the command is run.
  if (loaded.config.memory.dir)
    loaded.config.memory.dir = resolve(home.path, expandTilde(loaded.config.memory.dir))
  override(loaded, 'environment', { model: env.REVERIE_MODEL, memoryDir: env.REVERIE_MEMORY_DIR })
  override(loaded, 'flag', flags)
  return loaded
}

/** Settings that a program gives instead of the owner's, each of the first level as a whole; checked as a file is. */
export async function withSettings(config: Config, given: object, home: Home): Promise<Config> {
  const { checkConfig, completeConfig } = await import('./check.ts')
  const complete = completeConfig(checkConfig('settings', given, 'owner'))
  if (complete.memory.dir) complete.memory.dir = resolve(home.path, expandTilde(complete.memory.dir))
  const chosen = Object.entries(complete).filter(([key]) => key in given)
  return { ...config, ...Object.fromEntries(chosen) }
}

interface Layer {
  source: 'owner' | 'project'
  file: string
  content: unknown
}

async function combine(layers: Layer[]): Promise<LoadedConfig> {
  const present = layers.filter(layer => layer.content !== undefined)
  if (present.length === 0) return { config: structuredClone(DEFAULTS), sources: new Map() }
  const { checkConfig, completeConfig, keysOf } = await import('./check.ts')
  const sources = new Map<string, Source>()
  let merged: Record<string, unknown> = {}
  for (const { source, file, content } of present) {
    const checked = checkConfig(file, content, source)
    merged = merge(merged, checked)
    for (const key of keysOf(checked)) sources.set(key, source)
  }
  return { config: completeConfig(merged), sources }
}

function override(
  { config, sources }: LoadedConfig,
  source: Source,
  { model, memoryDir }: ConfigFlags,
): void {
  if (model) {
    if (!MODEL_PATTERN.test(model))
      throw new InvalidSetting(`${JSON.stringify(model)} is not a model: ${MODEL_FORM}.`)
    config.model = model
    sources.set('model', source)
  }
  if (memoryDir) {
    config.memory.dir = resolve(expandTilde(memoryDir))
    sources.set('memory.dir', source)
  }
}

/** Undefined when there is no such file. */
export function readConfigFile(file: string): unknown {
  let text: string | undefined
  try {
    if (!existsSync(file)) return undefined
    text = readSmallFile(file)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined
    throw new ConfigUnreadable(`Could not read ${file}: ${because(error)}.`, { cause: error })
  }
  if (text === undefined)
    throw new ConfigUnreadable(`${file} is not a plain file of at most 1 MB; it is not read.`)
  try {
    return JSON.parse(text)
  } catch (error) {
    const hint = /^\s*(\/\/|\/\*)/m.test(text) ? ' Comments are not allowed in it.' : ''
    throw new ConfigUnreadable(
      `${file} is not valid JSON: ${because(error)}.${hint} Mend it, or move it aside.`,
      {
        cause: error,
      },
    )
  }
}

function merge(under: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const result = { ...under }
  for (const [key, value] of Object.entries(over)) {
    const old = result[key]
    result[key] = isRecord(old) && isRecord(value) ? merge(old, value) : value
  }
  return result
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sameFile(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b)
  } catch {
    return false
  }
}

const REFERENCE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/

export type Secret =
  | { state: 'literal'; value: string }
  | { state: 'found'; variable: string; value: string }
  | { state: 'missing'; variable: string }

/** A secret as it stands in the config: itself, or `${NAME}` for what the environment holds. */
export function resolveSecret(text: string, env: NodeJS.ProcessEnv): Secret {
  const [, variable] = REFERENCE.exec(text) ?? []
  if (variable === undefined) return { state: 'literal', value: text }
  const value = env[variable]
  return value ? { state: 'found', variable, value } : { state: 'missing', variable }
}
