/**
 * Ways to write, to run something, to leave the project, or to read secrets through a shell that should not, one a
 * line in the text files beside this one. `@OUT` is a directory beside the project, `@HOME` the person's home.
 */
import { readFileSync } from 'node:fs'

const linesOf = (name: string) => {
  const text = readFileSync(new URL(`${name}.txt`, import.meta.url), 'utf8')
  return text.split('\n').filter(line => line !== '')
}

/** What anybody would let pass; not to be asked about. */
export const harmless = linesOf('harmless')

/** Those that need more than one line, or characters that are not what they seem. */
const strange: string[] = [
  'cat <<EOF > src/a.ts\nx\nEOF',
  'cat <<EOF\n$(rm src/a.ts)\nEOF',
  'cat <<EOF\n`rm src/a.ts`\nEOF',
  'cat <<EOF\n$SECRET\nEOF',
  'cat <<EOF | sh\nrm src/a.ts\nEOF',
  "cat <<'EOF' | bash\nrm src/a.ts\nEOF",
  'bash <<EOF\nrm src/a.ts\nEOF',
  'cat <<EOF && rm src/a.ts\nx\nEOF',
  'cat <<EOF\nx\nEOF\nrm src/a.ts',
  "cat <<EOF\n\\\nEOF\necho '\nEOF\nrm src/a.ts\necho '",
  'cat <<-EOF\n\tx\n\tEOF\nrm src/a.ts',
  'cat <<EOF\nx\n EOF\nrm src/a.ts\nEOF\nrm src/b.txt',
  'cat <<A <<B\nA\nrm src/a.ts\nB',
  'cat <<"E F"\nx\nE F\nrm src/a.ts',
  'cat <<$(rm)\nx\n$(rm)\nrm src/a.ts',
  'ls\nrm src/a.ts',
  'ls \\\n; rm src/a.ts',
  'l\\\ns; r\\\nm src/a.ts',
  'ls # \\\nrm src/a.ts',
  'echo "\n"; rm src/a.ts',
  'echo a\\\nb; rm src/a.ts',
  'ls\r\nrm src/a.ts',
  'ls\rrm src/a.ts',
  'ls \u0000; rm src/a.ts',
  'ls\u00a0; rm src/a.ts',
  'ls \u2028rm src/a.ts',
  'ls\u200b',
  'cat README.md\u202e txt.terces',
  'c\u0430t README.md',
  'ls \u2013la',
  'ls \uff1b rm src/a.ts',
  'cat \u201cREADME.md\u201d',
  '\u001b[2Jls',
  'ls \u007f',
  'echo \ud800',
  `${'('.repeat(60)}ls${')'.repeat(60)}`,
  `${'bash -c "'.repeat(3)}rm src/a.ts`,
  `echo ${'a'.repeat(11_000)}`,
  `${'ls; '.repeat(300)}rm src/a.ts`,
  'echo "unclosed; rm src/a.ts',
  "echo 'a' 'b; rm src/a.ts",
  'echo `rm src/a.ts`',
  'echo `echo \\`rm src/a.ts\\``',
  'if true; then',
  'ls ||',
  ')',
  '',
]

export interface Hostile {
  command: string
  /** It leaves the project or touches what is protected: no mode allows it. Others the mode `auto` may allow. */
  leaves: boolean
}

export function hostileCommands(places: { outside: string; home: string }): Hostile[] {
  const fill = (command: string) =>
    command.replaceAll('@OUT', places.outside).replaceAll('@HOME', places.home)
  return [
    ...[...linesOf('inside'), ...strange].map(command => ({ command: fill(command), leaves: false })),
    ...linesOf('outside').map(command => ({ command: fill(command), leaves: true })),
  ]
}
