/** What a program needs to run at all. Keys and tokens are not among it: a server gets those that its settings name. */
const NEEDED = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  // Where a network lets nobody out otherwise.
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  // Windows.
  'APPDATA',
  'COMSPEC',
  'LOCALAPPDATA',
  'PATHEXT',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERPROFILE',
])

export function serverEnvironment(
  from: NodeJS.ProcessEnv,
  own: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  const needed = Object.entries(from).filter(([name, value]) => isNeeded(name) && !value?.startsWith('()'))
  return { ...Object.fromEntries(needed), ...own }
}

function isNeeded(name: string): boolean {
  return NEEDED.has(name.toUpperCase()) || name.startsWith('LC_')
}
