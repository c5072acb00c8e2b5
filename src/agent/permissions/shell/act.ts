import type { Pattern, Word } from './word.ts'

/** A file or directory that a command uses, as it is written. */
export interface Use {
  access: 'read' | 'write'
  path: string
  /** `path` is a pattern of names. */
  glob: boolean
  /** What is meant, instead of what `path` says. */
  any?: readonly Pattern[]
  /**
   * What lies below counts too: all of it, all whose name does not begin with a dot (unless a list of what to ignore
   * says that it counts), all and through links, or all that git keeps track of.
   */
  tree?: 'all' | 'visible' | 'no links' | 'tracked'
  /** Only files of such a name count. */
  names?: readonly string[]
  /** Names in which something could be taken for the border between two, or for an option, are trouble. */
  apart?: boolean
  /** Patterns of names that count although they begin with a dot. */
  named?: readonly string[]
  /** It is about the name, not about what that leads to if it is a link. */
  itself?: boolean
  /** Where what lies below may end up. */
  lands?: readonly string[]
}

/**
 * What is known of a simple command. `read`: it does nothing but read what it uses. `write`: it changes nothing
 * but what it uses. `unknown`: it may do anything.
 */
export interface Known {
  effect: 'read' | 'write' | 'unknown'
  uses: Use[]
  /** Why it is not known to only read. */
  why?: string
  /**
   * It obeys the configuration of the repository that it runs in, which has to be looked at; or adds files to it; or,
   * given two directories, may read all that is in them, when what looks like a repository is none; or tells
   * where it is fetched from, which may hold a password.
   */
  git?: true | 'adds' | 'compares' | 'tells addresses'
  /** Where it changes to. */
  cd?: string
  /** Commands that it runs, as words. */
  inner?: Word[][]
  /** Scripts that it runs, as text. */
  scripts?: string[]
  /** It is nothing besides what it runs. */
  transparent?: boolean
}

/** One simple command, or one redirection, of a script. */
export interface Act extends Pick<Known, 'effect' | 'uses' | 'why' | 'git'> {
  /** None for a redirection. */
  words: Word[]
  /** As a person would write it. */
  text: string
  /** Where it may run: each is a list of directories that were changed to, one after the other. */
  places: ReadonlyArray<readonly string[]>
}

export interface Script {
  acts: Act[]
  /** Why not all of it is understood: then the acts may not be all. */
  unclear?: string
}

export const unknown = (why: string): Known => ({ effect: 'unknown', uses: [], why })
export const reads = (words: readonly Word[], tree?: Use['tree']): Known => ({
  effect: 'read',
  uses: words.map(word => use('read', word, tree)),
})

export function use(access: Use['access'], { text, glob, any, below }: Word, tree?: Use['tree']): Use {
  const meant = { access, path: text, glob, ...(any && { any }) }
  if (!below) return { ...meant, ...(tree && { tree }) }
  // Where a command looks below what it is given, the names there are others.
  const { names, apart } = below
  return {
    ...meant,
    tree: tree ? 'no links' : below.tree,
    ...(names && !tree && { names }),
    ...(apart && { apart }),
  }
}
