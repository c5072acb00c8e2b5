/** Which projects have jobs: for who begins those of all of them. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findProject, type Home, type Project } from '../../config/index.ts'
import { because, readSmallFile, systemCode } from '../../store/index.ts'
import { isRecord } from './job.ts'

export type FoundProject = { slug: string } & ({ project: Project } | { problem: string })

/**
 * The name of a project's directory does not tell where it is; its jobs file does. It is believed only if the directory
 * that it names is the project of that name: whoever edits the file cannot have jobs run elsewhere.
 */
export function projectsWithJobs(home: Home): FoundProject[] {
  return slugsIn(home.projects).flatMap(slug => {
    const path = join(home.projects, slug, 'scheduled_tasks.json')
    try {
      const text = readSmallFile(path)
      if (text !== undefined) return foundIn(slug, text)
      return existsSync(path) ? [{ slug, problem: `${path} is not a plain file of at most 1 MB` }] : []
    } catch (error) {
      return [{ slug, problem: `${path} cannot be read: ${because(error)}` }]
    }
  })
}

function foundIn(slug: string, text: string): FoundProject[] {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    content = undefined
  }
  if (!isRecord(content)) return [{ slug, problem: 'its scheduled_tasks.json is not JSON' }]
  if (Array.isArray(content.jobs) && content.jobs.length === 0) return []
  const { root } = content
  if (typeof root !== 'string')
    return [{ slug, problem: 'its scheduled_tasks.json does not say where it is' }]
  try {
    const project = findProject(root)
    return [project.slug === slug ? { slug, project } : { slug, problem: `${root} is another project` }]
  } catch (error) {
    return [{ slug, problem: because(error) }]
  }
}

function slugsIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}
