/** Why a skill is of no use on this machine. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Requirements } from './skill.ts'

export interface Machine {
  platform: NodeJS.Platform
  hasProgram(name: string): boolean
  hasVariable(name: string): boolean
}

/** As the end of a sentence about the skill; undefined when nothing is missing. */
export function missing(
  { programs, variables, systems }: Requirements,
  machine: Machine,
): string | undefined {
  if (systems.length > 0 && !systems.includes(machine.platform)) return `it is for ${systems.join(', ')}`
  const wanted = [
    ...programs.filter(name => !machine.hasProgram(name)).map(name => `the program ${name}`),
    ...variables.filter(name => !machine.hasVariable(name)).map(name => `the variable ${name}`),
  ]
  return wanted.length === 0 ? undefined : `it needs ${wanted.join(', ')}`
}

export function thisMachine(env: NodeJS.ProcessEnv): Machine {
  const known = new Map<string, boolean>()
  return {
    platform: process.platform,
    hasProgram(name) {
      const has = known.get(name) ?? isOnPath(name, env)
      known.set(name, has)
      return has
    },
    hasVariable: name => (env[name] ?? '') !== '',
  }
}

function isOnPath(name: string, env: NodeJS.ProcessEnv): boolean {
  if (!/^[\w.+-]+$/.test(name)) return false
  const endings = process.platform === 'win32' ? (env.PATHEXT ?? '.EXE').split(';') : ['']
  const directories = (env.PATH ?? '').split(delimiter).filter(directory => directory !== '')
  return directories.some(directory => endings.some(ending => isProgram(join(directory, `${name}${ending}`))))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
