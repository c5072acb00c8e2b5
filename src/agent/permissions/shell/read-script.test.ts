import { expect, test } from 'vitest'
import { readScript } from './read-script.ts'
import { loadShellParser, ParserBroken } from './tree.ts'

const parse = await loadShellParser()
const read = (command: string) => readScript(command, { parse, home: '/home/me' })

/** `r` reads, `w` writes, `?` may do anything; then the command. */
const acts = (command: string) =>
  read(command).acts.map(({ effect, text }) => `${{ read: 'r', write: 'w', unknown: '?' }[effect]} ${text}`)

test.each<[string, string[]]>([
  ['ls -la; rm x && cat y || make', ['r ls -la', 'w rm x', 'r cat y', '? make']],
  ['ls | wc -l |& tee x', ['r ls', 'r wc -l', 'w tee x']],
  ['(ls; { make; })', ['r ls', '? make']],
  ['ls & make', ['r ls', '? make']],
  ['! make', ['? make']],
  ['if make; then ls; elif a; then b; else c; fi', ['? make', 'r ls', '? a', '? b', '? c']],
  ['for f in $(make); do ls; done', ['? make', 'r ls']],
  ['while make; do ls; done', ['? make', 'r ls']],
  ['case $(make) in a) ls;; *) b;; esac', ['? make', 'r ls', '? b']],
  ['cat $(make)', ['? make', '? cat $(make)']],
  ['cat `make`', ['? make', '? cat `make`']],
  ['cat "x $(make) y"', ['? make', '? cat "x $(make) y"']],
  ['cat <(make)', ['? make', 'r cat <(make)']],
  ['ls > >(make)', ['? make', '? > >(make)', 'r ls']],
  ['cat <<< "$(make)"', ['? make', 'r cat']],
  ['x=$(make)', ['? make']],
  ['cat <<EOF\n$(make)\nEOF', ['? make', 'r cat']],
  ["cat <<'EOF'\n$(make)\nEOF", ['r cat']],
  ['cat <<EOF | make\nx\nEOF', ['r cat', '? make']],
  ['rm >f x', ['w > f', 'w rm x']],
  ['>f rm x', ['w > f', 'w rm x']],
  ['ls 2>&1 >/dev/null', ['w > /dev/null', 'r ls']],
  ['ls &>f', ['w &> f', 'r ls']],
  ['cat <f', ['r < f', 'r cat']],
  ['timeout -s KILL 5 make x', ['? make x']],
  ['nice -n 3 env LANG=C command make', ['? make']],
  ['env A=b make', ['? env A=b make', '? make']],
  ['sudo -u x make', ['? sudo -u x make', '? x make']],
  ['ls | xargs -n 1 rm', ['r ls', '? rm …']],
  ['xargs -I{} sh -c {}', ['? sh -c {} …']],
  ['bash -c "ls; make"', ['r ls', '? make']],
  [`bash -c "sh -c 'make'"`, ['? make']],
  ['eval make "x y"', ['? make x y']],
  ['eval "$x"', ['? eval "$x"']],
  ['find . -name x -exec rm {} + -print', ['r find . -name x -exec rm {} + -print', '? rm {}']],
  [`'l's -l"a"`, ['r ls -la']],
  ['\\ls a\\ b', ['r ls a b']],
  ['ls # make', ['r ls']],
  ['LANG=C ls', ['r ls']],
  ['PATH=. ls', ['? PATH=.', 'r ls']],
  ['cat ~/x ~root/x', ['? cat /home/me/x ~root/x']],
  ['ls {a,b}', ['r ls {a,b}']],
  ['ls {a..c}', ['? ls {a..c}']],
  ['echo {} a{b}', ['r echo {} a{b}']],
  ['', []],
])('%s is made of %j', (command, expected) => {
  expect(acts(command)).toEqual(expected)
  expect(read(command).unclear).toBeUndefined()
})

test.each([
  ['ls "', 'cannot be parsed'],
  ['$x y', 'name of a command'],
  ['"$(x)"', 'name of a command'],
  ['/bin/l? x', 'name of a command'],
  ['echo $((1+1))', 'not judged'],
  ['((x))', 'not judged'],
  ['echo $'.concat('{x:-y}'), 'not judged'],
  ['echo $'.concat('{!x}'), 'expands variables'],
  ['f() { ls; }', 'defines a function'],
  ['export x=1', 'not judged'],
  ['[[ -v x ]]', '(-v)'],
  ['[[ a -eq b ]]', '(-eq)'],
  ['[ -n "$x" ]', 'only known when it runs'],
  ['a=(1 2)', 'list'],
  ['for PATH in .; do ls; done', 'sets PATH'],
  ['while ls; do cd ..; done', 'again and again'],
  ['cat <<EOF\n`x`\nEOF', 'here-document'],
  ['cat <<EOF\n\\\nEOF\nEOF', 'certainty'],
  ['ls\r', 'control'],
  ['ls \u200b', 'invisible'],
  ['ls \u2013l', 'look like'],
  ['l\u0455', 'look alike'],
  [`echo ${'a'.repeat(10_000)}`, 'too long'],
  [`${'('.repeat(60)}ls${')'.repeat(60)}`, ''],
  [`${'ls;'.repeat(250)}`, 'too many'],
  ['ls <&-', ''],
  ['cat <<< "$SECRET"', 'which may be a secret'],
  ['cat <<EOF\n$SECRET\nEOF', 'which may be a secret'],
])('%j is not understood', (command, why) => {
  expect(read(command).unclear ?? 'understood').toContain(why)
  expect(read(command).unclear).toBeDefined()
})

test('where a command may run is followed', () => {
  const { acts: found } = read('cat a; cd src && cat b; (cd x; cat c)')
  expect(found.map(({ text, places }) => [text, places.map(way => way.join('+'))])).toEqual([
    ['cat a', ['']],
    ['cd src', ['']],
    ['cat b', ['src']],
    ['cd x', ['', 'src']],
    ['cat c', ['', 'src', 'x', 'src+x']],
  ])
})

test.each([
  ['cd a && cd .. && cat x', ['a+..']],
  ['cd a; cat x', ['', 'a']],
  ['cd a || cat x', ['', 'a']],
  ['(cd a) && cat x', ['', 'a']],
  ['! cd a && cat x', ['', 'a']],
  ['env cd a && cat x', ['', 'a']],
  ["bash -c 'cd a' && cat x", ['', 'a']],
  ['cd a | cat y && cat x', ['', 'a']],
  ['cd a <<E && cat x\nE', ['', 'a']],
])('in %j, x is looked for in %j', (command, expected) => {
  const { acts: found } = read(command)
  expect(found.findLast(({ text }) => text === 'cat x')?.places.map(way => way.join('+'))).toEqual(expected)
})

test.each([
  ['cat {a,b/*}', ['{a,b/*} *', 'a', 'b/* *']],
  ['for f in a b; do cat "x/$f"; done', ['x/a', 'x/b']],
  ['for f in *.md; do head -n 1 "$f"; done', ['*.md *']],
  ['for f in *.md; do cat $f; done', ['*.md * split']],
  ['git diff "$f"', []],
  ['for f in a; do git show "HEAD:$f"; done', ['HEAD:a', 'a']],
  ['diff <(ls) a', ['a']],
  ['find a b -name "*.c" -exec cat {} +', ['a', 'b', 'below a b of *.c']],
  ['find a -o -name "*.c" -exec cat {} +', ['a', 'below a']],
  ['git ls-files | xargs wc -l', ['below . apart']],
  ['wc -l $(git ls-files "*.c")', ['*.c', 'below . of *.c apart']],
  ['find a | sort | head -n 5 | xargs cat', ['a', 'below a apart']],
])('%j means %j', (command, expected) => {
  const { acts: found, unclear } = read(command)
  const meant = found
    .flatMap(({ uses }) => uses)
    .flatMap(({ any, path, tree, names, apart }) => {
      const told = any?.map(
        ({ text, glob, split }) => `${text}${glob ? ' *' : ''}${split ? ' split' : ''}`,
      ) ?? [path]
      const more = `${names ? ` of ${names}` : ''}${apart ? ' apart' : ''}`
      return any && tree && command !== 'diff <(ls) a' ? [`below ${told.join(' ')}${more}`] : told
    })
  expect([meant, unclear]).toEqual([expected, undefined])
})

test.each([
  ...['for f; do cat "$f"; done', 'for f in a; do f=b; cat "$f"; done', 'for f in $(x); do cat "$f"; done'],
  ...['for f in $(git ls-files); do cat "$f"; done', "for f in a; do bash -c 'cat $f'; done"],
  ...[
    'for f in "a b"; do cat $f; done',
    'for f in a; do cat "$g"; done',
    'for f in a; do cat "$'.concat('{f%x}"; done'),
  ],
  ...[
    'git ls-files | xargs cat < list',
    'git ls-files | xargs -d / cat',
    'git ls-files | xargs -0 cat',
    'git ls-files | sed s/a/b/ | xargs cat',
  ],
  ...['ls | xargs cat', 'find a -printf x | xargs cat', 'git ls-files | sort < list | xargs cat'],
  ...['git ls-files | xargs rm', 'find a -exec rm {} +', 'cat "$(git ls-files)"', 'echo x > $(git ls-files)'],
])('%s names what is only known when it runs', command => {
  const { acts: found, unclear } = read(command)
  expect(unclear !== undefined || found.some(({ effect }) => effect === 'unknown')).toBe(true)
})

test.each([
  ['cat a src/*.ts', ['r a', 'r src/*.ts *']],
  ['cat *.ts', ['r *.ts *']],
  ['grep -rn x --include=*.ts src', ['r src /all']],
  ['grep -rn x src', ['r src /all']],
  ['grep -r x', ['r . /all']],
  ['grep -e x a', ['r a']],
  ['grep -C 3 x a', ['r a']],
  ['grep -C3 x a', ['r a']],
  ['grep -rC 3 x', ['r . /all']],
  ['grep -r --context 3 x', ['r . /all']],
  ['egrep -rC 3 x', ['r . /all']],
  ['xxd -l 8 a', ['r a']],
  ['xxd -ps a b', []],
  ['xxd a -p', []],
  ['xxd a --', []],
  ['uniq -f 1 a', ['r a']],
  ['uniq a -c', []],
  ['head a -n .env', ['r a', 'r .env']],
  ['grep -r x -m 1', ['r . /all', 'r 1']],
  ['xxd -bl a b', []],
  ['tree -aL 2 a', ['r a']],
  ['tree -Po x a', []],
  ['rg x', ['r . /visible']],
  ['rg --hidden x src', ['r src /all']],
  ['rg -g .env x', ['r . /visible']],
  ['ls -R src', ['r src']],
  ['ls -LR', ['r . /no links']],
  ['git grep x', ['r x', 'r . /tracked']],
  ['git log -L1,5:.env', ['r .env']],
  ['head -n 3 a', ['r a']],
  ['od -w a', []],
  ['diff a b', ['r a /no links', 'r b /no links']],
  ['cp -r a b', ['r a /no links', 'w b /no links', 'w b/a']],
  ['mv a/x b', ['w a/x /no links', 'w b', 'w b/x']],
  ['sed -i s/a/b/ f', ['w f']],
  ['git show HEAD:a/b', ['r HEAD:a/b', 'r a/b']],
  ['find src lib -name x', ['r src', 'r lib']],
  ['uniq a b', []],
  ['tee a b', ['w a', 'w b']],
])('%s uses %j', (command, expected) => {
  const uses = read(command).acts.flatMap(act => act.uses)
  const told = uses.map(
    ({ access, path, glob, tree }) => `${access[0]} ${path}${glob ? ' *' : ''}${tree ? ` /${tree}` : ''}`,
  )
  expect(told).toEqual(expected)
})

test.each([
  ...[
    'sed -n 1,5p f',
    'sed -n "$p" f',
    "sed 's/a/b/g' f",
    'date +%F',
    'git log --oneline',
    'git branch -a',
    'hostname',
  ],
  ...[
    'sort -k 2 f',
    'uniq f',
    'test -f x',
    'jq .a f',
    'command -v ls',
    'git tag -l v1',
    'tail -n 5 f',
    'xxd f',
  ],
])('%s only reads', command => {
  const [act] = acts(command)
  expect(act?.startsWith(command.includes('"$p"') ? '?' : 'r')).toBe(true)
})

test.each([
  ...[
    "sed 's/a/b/e' f",
    "sed 's/a/b/w x' f",
    'sed -f x f',
    "sed 'w x' f",
    "sed '1e ls' f",
    'sort -o f f',
    'sort --outp=x f',
  ],
  ...[
    'date -s x',
    'date 0101',
    'git branch x',
    'git tag x',
    'git -c a=b log',
    'git log --output=x',
    'git log --format=%G?',
  ],
  ...[
    'hostname x',
    'uniq a b',
    'xxd -r a',
    'xxd a b',
    'jq -n env',
    'jq -f x y',
    'rg --pre x y',
    'rg -z x',
    'grep -f x y',
  ],
  ...[
    'find . -delete',
    'find . -fprint x',
    'find . -newerXY x',
    'tail -n',
    'less x',
    'more x',
    'man x',
    'awk -f x y',
    'env',
  ],
  ...[
    'printf -v x y',
    "test -v 'a[$(x)]'",
    'tree -o x',
    'diff -r a b',
    'ssh x',
    'tar tf x',
    'command -p ls',
    'echo $x',
  ],
  ...[
    'git stash',
    'git remote add x y',
    'git reflog expire',
    'git add -p',
    './ls',
    'cat -*',
    'uniq src/*',
    'xxd *',
    'cat -- $x',
    'ls --unknown',
    'cd',
    'cd -',
  ],
])('%s may do more', command => {
  expect(acts(command)[0]?.startsWith('?')).toBe(true)
})

const SED = {
  plain: [
    '1,5p',
    '/a/,/b/p',
    '5{p;q}',
    '$!d',
    's|a/b|c|g',
    's/[[:space:]]*$//',
    's/[^a]/x/; s/a/b/',
    '/x/I,+2{s/a/b/;p}',
  ],
  other: [
    'w x',
    '1w x',
    's/a/b/w x',
    's|a|b|e',
    'e ls',
    'r x',
    '/a/{w x\n}',
    '5q;w x',
    'p}w x',
    '{p',
    's/[/]/x/',
    's/[/]/p;s/w x/y/',
    '',
  ],
}
const AWK = {
  plain: ['{print $1}', 'NR>=1 && NR<=20', '$3 > 5 {n++} END {print n}', '/a/ || /b/ {print "x" $0}'],
  other: [
    '{print > "x"}',
    '{print | "sh"}',
    'BEGIN{system("ls")}',
    'BEGIN{getline x < "y"}',
    '{print $1 > $2}',
  ].concat(
    'BEGIN{print ENVIRON["X"]}',
    'BEGIN{ARGV[1]="x"}',
    '{print $1,\n$2 > $3}',
    '$1 > "x"',
    '@load "x"',
    '{print $1 #;\n > $2}',
  ),
}

test.each([
  ...SED.plain.map(script => ['sed', script, 'r'] as const),
  ...SED.other.map(script => ['sed', script, '?'] as const),
  ...AWK.plain.map(script => ['awk', script, 'r'] as const),
  ...AWK.other.map(script => ['awk', script, '?'] as const),
])('%s %j: %s', (program, script, expected) => {
  expect(acts(`${program} '${script}' f`)[0]?.[0]).toBe(expected)
})

test('a parser that fails leaves everything unclear', () => {
  const broken = () => {
    throw new ParserBroken('gone')
  }
  expect(readScript('ls', { parse: broken, home: '/' })).toEqual({
    acts: [],
    unclear: expect.stringContaining('has failed'),
  })
})
