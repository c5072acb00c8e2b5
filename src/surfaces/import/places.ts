import { statSync } from 'node:fs'
import { isAbsolute, win32 } from 'node:path'
import { findProject, type Project, projectSlug } from '../../config/index.ts'

export interface PlaceOptions {
  /** The project that is being worked in. */
  current: Project
  /** Everything goes there, because its owner said so. */
  isChosen: boolean
}

/** Decides which project something belongs to, by the directory that it is about. */
export class Places {
  #options: PlaceOptions
  #known = new Map<string, Project>()

  constructor(options: PlaceOptions) {
    this.#options = options
  }

  /**
   * `others`: the directories of everything in the source. What is all about one directory that is not on this
   * machine was brought here for the project at hand.
   */
  of(directory: string | undefined, others: ReadonlySet<string>): Project & { isElsewhere?: true } {
    const { current, isChosen } = this.#options
    if (isChosen || directory === undefined || !isPath(directory)) return current
    const project = this.#projectOf(directory)
    if (isThere(directory)) return project
    const slugs = new Set([...others].filter(isPath).map(other => this.#projectOf(other).slug))
    return slugs.size <= 1 ? { ...current, isElsewhere: true } : project
  }

  #projectOf(directory: string): Project {
    const known = this.#known.get(directory)
    if (known) return known
    const project = isThere(directory)
      ? findProject(directory)
      : { root: directory, slug: projectSlug(directory) }
    this.#known.set(directory, project)
    return project
  }
}

function isPath(directory: string): boolean {
  return !directory.includes('\0') && (isAbsolute(directory) || win32.isAbsolute(directory))
}

function isThere(directory: string): boolean {
  try {
    return isAbsolute(directory) && statSync(directory).isDirectory()
  } catch {
    return false // it is not there, or not ours to look into
  }
}
