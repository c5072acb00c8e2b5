/** Files that need a yes in every mode: what is secret, and what makes others run something. */

import { relative, sep } from 'node:path'

/** Directories that hold keys. */
const KEY_DIRECTORIES: ReadonlySet<string> = new Set([
  ...[
    '.ssh',
    '.aws',
    '.gnupg',
    '.azure',
    '.kube',
    '.docker',
    '.gcloud',
    'gcloud',
    '.password-store',
    'keyrings',
  ],
  ...['.1password', '.oci', '.terraform.d'],
])

const SECRETS: readonly RegExp[] = [
  /^\.env(?!\.(example|sample|template|dist|defaults)$)([.\-_].*)?$/,
  /^\.envrc$/,
  /[^.]\.env$/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|tfstate)$/,
  /^id_[^.]*$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(?!\.pub$)/,
  /^\.?(netrc|pgpass|pypirc|npmrc|yarnrc|my\.cnf|htpasswd|dockercfg|vault-token|terraformrc|boto|s3cfg|databrickscfg|rclone\.conf)$/,
  /^_netrc$/,
  /^(\.?git-?credentials|credentials|\.?credentials\.[^/]+|secrets?\.(json|ya?ml|toml|ini))$/,
  /^(service[-_]?account[^/]*|client_secret[^/]*|application_default_credentials)\.json$/,
  /^(\.(bash|zsh|ksh|tcsh|csh|sh)_?(rc|env|profile|login|logout|history|aliases|functions)|\.profile|config\.fish)$/,
  /^\.(inputrc|xinitrc|xprofile|xsessionrc|gitconfig|vimrc|emacs|gdbinit|lldbinit|pam_environment|tmux\.conf)$/,
]

/** What others run: at a commit, on a server, when somebody opens the directory. */
const RUN_BY_OTHERS = new RegExp(
  [
    // directories: what runs at a push or a commit, what editors and other agents run
    String.raw`(^|\/)(\.(github|gitea|forgejo)\/(workflows|actions)|\.circleci|\.buildkite|\.woodpecker|\.husky|\.githooks)(\/|$)`,
    String.raw`(^|\/)\.(vscode|idea|zed|fleet|devcontainer|claude|codex|cursor|gemini|windsurf|opencode|direnv)(\/|$)`,
    String.raw`(^|\/)(\.config\/(autostart|systemd|git|fish|nvim|nushell)|library\/launch(agents|daemons))(\/|$)`,
    // files
    String.raw`(^|\/)(\.gitlab-ci\.ya?ml|\.travis\.ya?ml|\.drone\.ya?ml|bitbucket-pipelines\.ya?ml|azure-pipelines\.ya?ml|jenkinsfile)$`,
    String.raw`(^|\/)(\.pre-commit-config\.ya?ml|\.?lefthook(-local)?\.(ya?ml|toml|json)|\.mcp\.json|\.devcontainer\.json|\.yarnrc\.yml|\.pnpmfile\.c?js|\.cargo\/config(\.toml)?)$`,
  ].join('|'),
)

/** Directories in which some names are run by others: a tree that becomes one of them may bring these. */
const MAY_HOLD_SUCH = /(^|\/)(\.github|\.gitea|\.forgejo|\.config|\.cargo|library)$/

/** Why a whole tree must not land at a place unseen, as the end of a sentence about it. */
export function protectionOfTree(real: string, own: OwnPlaces): string | undefined {
  const may = MAY_HOLD_SUCH.test(forgetful(real)) ? 'may hold what others run' : undefined
  return protection(real, 'write', own) ?? may
}

/** Whether a file, by its name, is one of those whose content is shown only when it is asked for by that name. */
export function isSecretFile(path: string): boolean {
  return protection(path, 'read', { reverie: '/dev/null', protected: [] }) !== undefined
}

export interface OwnPlaces {
  /** Real path of Reverie's home. */
  reverie: string
  /** Further real paths that need a yes, with all that is below them. */
  protected: readonly string[]
  /** Real paths of what hooks run: they may be read. */
  hooks?: readonly string[] | undefined
  /** Real paths in the project where commands look for programs: they may be read. */
  programs?: readonly string[] | undefined
}

/** Why a file needs a yes whose name begins like an option: where `*` finds it, a command takes it for one. */
export function likeAnOption(real: string, root: string): string | undefined {
  const option = relative(root, real)
    .split(sep)
    .find(part => part.startsWith('-'))
  return option === undefined ? undefined : `has a name that commands take for an option (${option})`
}

/**
 * Why a file needs a yes, as the end of a sentence about it; undefined when it does not. Names are compared as the
 * most forgetful file system would: without case, and without what is invisible.
 */
export function protection(
  real: string,
  access: 'read' | 'write',
  { reverie, protected: others, hooks = [], programs = [] }: OwnPlaces,
): string | undefined {
  const path = forgetful(real)
  const below = (place: string) => {
    const start = forgetful(place)
    return path === start || path.startsWith(`${start}/`)
  }
  if (below(reverie)) return 'belongs to Reverie itself'
  if (others.some(below)) return 'is protected'
  if (access === 'write' && hooks.some(below)) return 'is run by a hook'
  if (access === 'write' && programs.some(below)) return 'is where commands are looked for'
  const parts = path.split('/')
  const name = parts.at(-1) ?? ''
  if (parts.includes('.reverie')) return 'belongs to Reverie itself'
  const git = parts.findIndex(part => part === '.git' || /^git~\d+$/.test(part))
  if (git >= 0 && (access === 'write' || /^config/.test(parts[git + 1] ?? ''))) return 'belongs to git itself'
  if (parts.some(part => KEY_DIRECTORIES.has(part))) return 'is where keys are kept'
  if (SECRETS.some(pattern => pattern.test(name))) return 'may hold secrets or be run by a shell'
  if (access === 'write' && RUN_BY_OTHERS.test(path)) return 'is run by others than you'
  return undefined
}

function forgetful(path: string): string {
  const plain = /^[\x20-\x7e]*$/.test(path)
    ? path.toLowerCase()
    : path
        .normalize('NFKC')
        .replaceAll(/[\p{Default_Ignorable_Code_Point}]/gu, '')
        .toLowerCase()
  // Nearly all paths; thousands are asked about for one command.
  if (!/:|[. ](\/|$)/.test(plain)) return plain
  return plain
    .split('/')
    .map(part => part.replace(/(:.*|[. ]+)$/, '') || part)
    .join('/')
}
