/** Files that need a yes in every mode: what is secret, and what makes others run something. */

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
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|tfstate)$/,
  /^id_[^.]*$/,
  /^\.?(netrc|pgpass|pypirc|npmrc|yarnrc|my\.cnf|htpasswd|dockercfg|vault-token|terraformrc|boto|s3cfg)$/,
  /^_netrc$/,
  /^(\.?git-?credentials|credentials|\.?credentials\.[^/]+|secrets?\.(json|ya?ml|toml|ini))$/,
  /^(service[-_]?account[^/]*|client_secret[^/]*|application_default_credentials)\.json$/,
  /^(\.(bash|zsh|ksh|tcsh|csh|sh)_?(rc|env|profile|login|logout|history)|\.profile|config\.fish)$/,
  /^\.(inputrc|xinitrc|xprofile|xsessionrc|gitconfig|vimrc|emacs|gdbinit|pam_environment)$/,
]

/** What others run: at a commit, on a server, when somebody opens the directory. */
const RUN_BY_OTHERS =
  /(^|\/)(\.github\/(workflows|actions)|\.circleci|\.husky|\.vscode|\.idea|\.devcontainer|\.buildkite)(\/|$)|(^|\/)(\.gitlab-ci\.ya?ml|\.travis\.ya?ml|jenkinsfile|azure-pipelines\.ya?ml|\.pre-commit-config\.yaml|\.mcp\.json)$/

/** Whether a file, by its name, is one of those whose content is shown only when it is asked for by that name. */
export function isSecretFile(path: string): boolean {
  return protection(path, 'read', { reverie: '/dev/null', protected: [] }) !== undefined
}

export interface OwnPlaces {
  /** Real path of Reverie's home. */
  reverie: string
  /** Further real paths that need a yes, with all that is below them. */
  protected: readonly string[]
}

/**
 * Why a file needs a yes, as the end of a sentence about it; undefined when it does not. Names are compared as the
 * most forgetful file system would: without case, and without what is invisible.
 */
export function protection(
  real: string,
  access: 'read' | 'write',
  { reverie, protected: others }: OwnPlaces,
): string | undefined {
  const path = forgetful(real)
  const below = (place: string) => path === forgetful(place) || path.startsWith(`${forgetful(place)}/`)
  if (below(reverie)) return 'belongs to Reverie itself'
  if (others.some(below)) return 'is protected'
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
  return path
    .normalize('NFKC')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .split('/')
    .map(part => part.replace(/(:.*|[. ]+)$/, '') || part)
    .join('/')
}
