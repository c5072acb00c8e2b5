/** Commands that nobody thought of: pieces of the corpus put together, wrapped, quoted and broken at random. */
import { oneOf } from '../random.ts'

/** What would be done to the machine if the judge were wrong is not worth the test. */
const TOO_DANGEROUS =
  /rm -r|kill|mount|sysctl|systemctl|crontab|shred|chmod|chown|docker|date|hostname|while|until|mkfifo|nc |dd /

const BETWEEN = ['; ', ' && ', ' || ', ' | ', ' & ', '\n', ' |& ', ';', '&&', ' ; \n']
const NOISE = [
  ...[
    "'",
    '"',
    '\\',
    '$',
    '`',
    '$(',
    ')',
    '(',
    '{',
    '}',
    '#',
    ';',
    '&',
    '|',
    '<',
    '>',
    '\n',
    '\t',
    ' ',
    '*',
    '?',
    '~',
  ],
  ...[
    '../',
    '/',
    '--',
    '-i',
    '-o',
    '=',
    '!',
    '[',
    ']',
    '$x',
    `$\{x}`,
    '<<EOF\n',
    '\nEOF\n',
    "$'",
    '\r',
    '\u00a0',
    ',',
    '..',
  ],
]

export function safePieces(commands: readonly string[]): string[] {
  return commands.filter(command => command.length < 200 && !TOO_DANGEROUS.test(command))
}

export function mixed(random: () => number, hostile: readonly string[], harmless: readonly string[]): string {
  const piece = () => oneOf(random, random() < 0.35 ? hostile : harmless)
  let command = wrapped(random, piece())
  while (random() < 0.4) command += oneOf(random, BETWEEN) + wrapped(random, piece())
  while (random() < 0.3) command = disturbed(random, command)
  if (random() < 0.15)
    command += ` ${oneOf(random, ['>', '>>', '2>', '&>', '<', '>|'])} ${oneOf(random, TARGETS)}`
  return TOO_DANGEROUS.test(command) ? 'ls' : command
}

const TARGETS = [
  'src/new',
  '/dev/null',
  '../outside/owned',
  'link-out/owned',
  '.env',
  'src/dangling.txt',
  '"$x"',
  '&1',
]

function wrapped(random: () => number, command: string): string {
  const quoted = `'${command.replaceAll("'", `'\\''`)}'`
  const ways: Array<() => string> = [
    ...Array.from({ length: 10 }, () => () => command),
    () => `(${command})`,
    () => `{ ${command}; }`,
    () => `! ${command}`,
    () => `echo $(${command})`,
    () => `echo "$(${command})"`,
    () => `echo \`${command}\``,
    () => `cat <(${command})`,
    () => `bash -c ${quoted}`,
    () => `sh -c ${quoted}`,
    () => `eval ${quoted}`,
    () => `timeout 5 ${command}`,
    () => `env LANG=C ${command}`,
    () => `time ${command}`,
    () => `cd src && ${command}`,
    () =>
      `cd ${oneOf(random, ['..', 'link-out', 'notes/link-directory', 'src/deep', 'options'])}; ${command}`,
    () => `if ${command}; then ls; fi`,
    () => `for f in src/*; do ${command}; done`,
    () => `case x in x) ${command};; esac`,
    () =>
      `for f in ${oneOf(random, ['src/*', '.env', 'src/a.ts ../outside', '-i', 'link-out'])}; do ${command} "$f"; done`,
    () => `for f in ${command}; do cat $f; done`,
    () => `git ls-files | xargs ${command}`,
    () => `${command} | sort | xargs cat`,
    () => `${command} $(${oneOf(random, ['git ls-files', 'find src', 'ls', 'find quiet', 'rg -l alpha'])})`,
    () => `${command} {README.md,${oneOf(random, ['.env', '-i', '../outside/secret.txt', 'src/a.ts'])}}`,
    () => `cat <(${command}) < <(${command})`,
    () => `[ -f README.md ${oneOf(random, ['||', '&&', '>', '-a', ';'])} ${command} ]; ls`,
    () => `cd ${oneOf(random, ['src', 'turn', 'quiet', 'odd'])} && ${command} && cd .. && ${command}`,
    () => `${command} < src/a.ts > ${oneOf(random, ['/dev/stdin', '/dev/stdout', '/dev/fd/0', '&0'])}`,
    () => `find . -name '*.ts' -exec ${command} {} +`,
    () => `${command} | cat`,
    () => `echo x | ${command}`,
    () => `ls | xargs ${command}`,
    () => `cat <<EOF\n$(${command})\nEOF`,
    () => `cat <<'EOF'\n${command}\nEOF`,
    () => `x=$(${command})`,
    () => `find src -name a.ts -exec ${command} \\;`,
    () => `${command} # comment`,
    () => `${command} src/link-secret.txt`,
    () => `${command} -- ../outside/secret.txt`,
    () => `${command} .e*`,
  ]
  return oneOf(random, ways)()
}

function disturbed(random: () => number, command: string): string {
  const at = Math.floor(random() * (command.length + 1))
  if (random() < 0.3) return command.slice(0, at) + command.slice(at + 1)
  return command.slice(0, at) + oneOf(random, NOISE) + command.slice(at)
}
