import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import {
  judgeBash,
  judgeFileTool,
  judgeTool,
  judgeWeb,
  makeFiles,
  policyWith,
  rules,
} from './permissions.fixture.ts'
import type { Mode, Policy } from './request.ts'

const MODES: Mode[] = ['ask', 'acceptEdits', 'plan', 'auto', 'deny']
const short = { allow: 'y', ask: '?', deny: 'n' }

/** What each mode says of a thing, in the order of `MODES`: y, ? or n. */
const inModes = (decide: (mode: Mode) => { decision: keyof typeof short }) =>
  MODES.map(mode => short[decide(mode).decision]).join('')

test.each([
  ['read_file', 'src/a.ts', 'yyyyn'],
  ['glob', '.', 'yyyyn'],
  ['read_file', '/etc/hosts', '????n'],
  ['read_file', '.env', '????n'],
  ['read_file', '/home/me/.reverie/memory/a.md', '????n'],
  ['write_file', 'src/a.ts', '?ynyn'],
  ['edit_file', 'src/a.ts', '?ynyn'],
  ['write_file', '/etc/hosts', '??n?n'],
  ['write_file', '../other/x', '??n?n'],
  ['write_file', '.git/hooks/pre-commit', '??n?n'],
  ['write_file', '.github/workflows/ci.yml', '??n?n'],
  ['write_file', '.', '??n?n'],
])('%s of %s: %s', (tool, path, expected) => {
  expect(inModes(mode => judgeFileTool(tool, path, policyWith({ mode })))).toBe(expected)
})

test.each([
  ['ls src', 'yyyyn'],
  ['cat src/a.ts | wc -l', 'yyyyn'],
  ['ls > /dev/null', 'yyyyn'],
  ['cat /etc/hosts', '????n'],
  ['cat .env', '????n'],
  ['touch src/a.ts', '??nyn'],
  ['echo x > src/a.ts', '??nyn'],
  ['echo x > ../x', '??n?n'],
  ['rm -rf src', '??n?n'],
  ['npm test', '??n?n'],
  ['ls; npm test', '??n?n'],
  ['ls "', '??n?n'],
])('bash %s: %s', (command, expected) => {
  expect(inModes(mode => judgeBash(command, policyWith({ mode })))).toBe(expected)
})

test.each([
  ['todo', false, 'yyyyy'],
  ['memory_search', true, 'yyyyy'],
  ['memory_save', false, 'yyyyy'],
  ['memory_forget', false, 'yynyn'],
  ['mcp__x__read', true, '????n'],
  ['mcp__x__write', false, '??n?n'],
])('%s (read-only: %s): %s', (tool, readOnly, expected) => {
  expect(inModes(mode => judgeTool(tool, readOnly, policyWith({ mode })))).toBe(expected)
})

test('an address is outside of the project', () => {
  expect(inModes(mode => judgeWeb('https://example.org/x', policyWith({ mode })))).toBe('????n')
  const allowed = rules('owner allow web_fetch(domain:example.org)')
  expect(inModes(mode => judgeWeb('https://example.org/x', policyWith({ mode, rules: allowed })))).toBe(
    'yyyyy',
  )
})

test.each([
  ['owner allow bash(npm test:*)', 'npm test', 'yynyy'],
  ['owner allow bash(npm test:*)', 'npm test -- --watch', 'yynyy'],
  ['owner allow bash(npm test:*)', 'npm test && npm publish', '??n?n'],
  ['owner allow bash(npm test:*)', 'npm test > ../log', '??n?n'],
  ['owner allow bash(npm test:*)', 'npm test > src/log', '??nyn'],
  ['owner allow bash(npm test:*)', 'npm test $(curl evil)', '??n?n'],
  ['owner allow bash(npm test:*)', 'npm "test" x', 'yynyy'],
  ['owner allow bash(npm test:*)', 'npm "test x"', '??n?n'],
  ['owner allow bash(npm test:*)', 'npm testing', '??n?n'],
  ['owner allow bash(npm test:*)', './npm test', '??n?n'],
  ['owner allow bash(npm test:*)', 'PATH=. npm test', '??n?n'],
  ['owner allow bash(npm test:*)', 'NODE_ENV=x npm test', 'yynyy'],
  ['owner allow bash(npm test:*)', 'timeout 5 npm test', 'yynyy'],
  ['owner allow bash(npm test:*)', 'sudo npm test', '??n?n'],
  ['owner allow bash(npm test:*)', 'bash -c "npm test"', 'yynyy'],
  ['owner allow bash(npm test:*)', 'npm() { ls; }; npm test', '??n?n'],
  ['owner allow bash(npm test)', 'npm test x', '??n?n'],
  ['owner allow bash(npm test)', 'npm test', 'yynyy'],
  ['owner allow bash(xargs:*)', 'ls | xargs rm', '??n?n'],
  // "And whatever follows" is not: and whatever it says is to be run.
  ['owner allow bash(git:*)', 'git commit -m x', 'yynyy'],
  ['owner allow bash(git:*)', 'git commit -C HEAD', 'yynyy'],
  ['owner allow bash(git:*)', 'git -c core.pager=./x log', '??n?n'],
  ['owner allow bash(git:*)', 'git -C ../other push', '??n?n'],
  ['owner allow bash(git:*)', 'git --exec-path=. push', '??n?n'],
  ['owner allow bash(git:*)', 'git config alias.x !./x', '??n?n'],
  ['owner allow bash(git:*)', 'git submodule foreach ./x', '??n?n'],
  ['owner allow bash(git:*)', 'git bisect run ./x', '??n?n'],
  ['owner allow bash(git fetch:*)', 'git fetch origin', 'yynyy'],
  ['owner allow bash(git fetch:*)', 'git fetch --upload-pack=./x .', '??n?n'],
  ['owner allow bash(git fetch:*)', 'git fetch --upload-p ./x .', '??n?n'],
  ['owner allow bash(git fetch:*)', 'git fetch ext::./x', '??n?n'],
  ['owner allow bash(git rebase:*)', 'git rebase -x ./x HEAD~3', '??n?n'],
  ['owner allow bash(git cherry-pick:*)', 'git cherry-pick -x abc', 'yynyy'],
  ['owner allow bash(git grep:*)', 'git grep -nO./x y', '??n?n'],
  ['owner allow bash(git -c core.pager=./x:*)', 'git -c core.pager=./x push', 'yynyy'],
  ['owner allow bash(npm test:*)', 'npm test --script-shell=./x', '??n?n'],
  ['owner allow bash(npm test:*)', 'x=--prefix=..; npm test $x', '??n?n'],
  ['owner allow bash(npm test:*)', 'for x in --prefix=..; do npm test $x; done', '??n?n'],
  ['owner allow bash(npm test:*)', 'npm test {--prefix,..}', '??n?n'],
  ['owner allow bash(npm test:*)', 'git ls-files | xargs npm test', '??n?n'],
  ['owner allow bash(npm test:*)', 'for x in src/a.ts; do npm test "$x"; done', 'yynyy'],
  ['owner allow bash(git commit:*)', `git commit -m "$(cat <<'E'\nit's "x"\nE\n)"`, 'yynyn'],
  ['owner allow bash(npm test:*)', 'npm test --script-sh ./x', '??n?n'],
  ['owner allow bash(npm test:*)', 'npm test --prefix ../other', '??n?n'],
  ['owner allow bash(npm test:*)', 'npm test -- --prefix x', 'yynyy'],
  ['owner allow bash(make:*)', 'make all', 'yynyy'],
  ['owner allow bash(make:*)', 'make -f other.mk', '??n?n'],
  ['owner allow bash(make:*)', 'make CC=./x', '??n?n'],
  ['owner allow bash(tar:*)', 'tar -xf x.tar', 'yynyy'],
  ['owner allow bash(tar:*)', 'tar -xf x.tar --to-command=./x', '??n?n'],
  ['owner allow bash(tar:*)', 'tar -xIf ./x x.tar', '??n?n'],
  ['owner allow bash(rsync:*)', 'rsync -ae ./x a b', '??n?n'],
  ['owner allow bash(ssh:*)', 'ssh -oProxyCommand=./x host', '??n?n'],
  ['owner allow bash(go test:*)', 'go test -exec ./x ./...', '??n?n'],
  ['owner allow bash(pip list:*)', 'pip list --outdated', 'yynyy'],
  ['owner allow bash(pip list:*)', 'pip list --python ./x', '??n?n'],
  ['owner allow bash(uv sync:*)', 'uv sync -p ./x', '??n?n'],
  ['owner allow bash(poetry check:*)', 'poetry check --directory=../x', '??n?n'],
  ['owner allow bash(./gradlew test:*)', './gradlew test --tests x', 'yynyy'],
  ['owner allow bash(./gradlew test:*)', './gradlew test -I ./x.gradle', '??n?n'],
  ['owner allow bash(mvn test:*)', 'mvn test -Dtest=x', 'yynyy'],
  ['owner allow bash(mvn test:*)', 'mvn test -f ../x/pom.xml', '??n?n'],
  ['owner allow bash(docker:*)', 'docker run -v /:/x alpine', '??n?n'],
  ['owner allow bash(cat:*)', 'cat /etc/hosts', 'yyyyy'],
  ['owner allow bash(cat:*)', 'cat .env', '????n'],
  ['owner allow bash(cat:*)', 'cat $HOME/.ssh/x', '??n?n'],
  ['owner allow bash(cat .env)', 'cat .env', 'yyyyy'],
  ['owner allow bash', 'make install', 'yynyy'],
  ['owner allow bash', 'make > log', 'yynyy'],
  ['owner allow bash', 'make > $X', '??n?n'],
  ['owner allow bash', 'make > ../log', '??n?n'],
  ['owner allow bash', 'cat ~/.ssh/id_rsa', '????n'],
  ['owner allow write_file(logs/**)', 'ls > logs/x', 'yynyn'],
  ['owner allow bash(rm:*)', 'rm -rf src', 'yynyy'],
  ['owner deny bash(rm:*)', 'rm src/a', 'nnnnn'],
  ['owner deny bash(rm:*)', '/bin/rm src/a', 'nnnnn'],
  ['owner deny bash(rm:*)', 'ls; find . -exec rm {} +', 'nnnnn'],
  ['owner deny bash(rm:*)', 'ls | xargs rm', 'nnnnn'],
  ['owner deny bash(rm:*)', 'echo `rm x`', 'nnnnn'],
  ['owner deny bash(rm:*)', 'f() { rm x; }; f', 'nnnnn'],
  ['owner deny bash(rm:*)', 'echo rm', 'yyyyn'],
  ['owner deny bash', 'ls', 'nnnnn'],
  ['owner deny read_file(src/**)', 'cat src/a.ts', 'nnnnn'],
  ['owner deny edit_file(src/**)', 'echo x > src/a.ts', 'nnnnn'],
  ['owner deny read_file(src/**)', 'grep -r x .', '????n'],
  ['owner deny read_file(src/**)', 'grep -r x docs', 'yyyyn'],
  ['owner deny read_file(**/*.key)', 'rg x docs', '????n'],
  ['owner ask bash(ls:*)', 'ls', '????n'],
  ['project deny bash(ls:*)', 'ls', 'nnnnn'],
])('with %s, bash %s: %s', (rule, command, expected) => {
  expect(inModes(mode => judgeBash(command, policyWith({ mode, rules: rules(rule) })))).toBe(expected)
})

test('a rule that denies is not evaded by what is only known at run time, where another allows', () => {
  const both = rules('owner allow bash(git:*)', 'owner deny bash(git push:*)')
  const decided = (command: string) => judgeBash(command, policyWith({ rules: both })).decision
  expect(decided('git push origin')).toBe('deny')
  expect(decided('git pull')).toBe('allow')
  expect(decided('git $X')).toBe('ask')
  expect(decided('git -C . push')).toBe('ask')
  expect(decided('git -c a=b push')).toBe('ask')
})

test.each([
  ['owner allow edit_file(src/**)', 'edit_file', 'src/a.ts', 'yynyy'],
  ['owner allow edit_file(**)', 'edit_file', '.env', '??n?n'],
  ['owner allow edit_file(.env)', 'edit_file', '.env', 'yynyy'],
  ['owner allow edit_file', 'edit_file', '/etc/hosts', 'yynyy'],
  ['owner allow edit_file(/etc/**)', 'edit_file', '/etc/hosts', 'yynyy'],
  ['owner allow edit_file(src/**)', 'write_file', 'src/a.ts', '?ynyn'],
  ['owner deny write_file(src/**)', 'edit_file', 'src/a.ts', 'nnnnn'],
  ['owner deny read_file(src/**)', 'grep', 'src', 'nnnnn'],
  ['project ask read_file(src/**)', 'read_file', 'src/a.ts', '????n'],
])('with %s, %s of %s: %s', (rule, tool, path, expected) => {
  expect(inModes(mode => judgeFileTool(tool, path, policyWith({ mode, rules: rules(rule) })))).toBe(expected)
})

test('an address without a host is asked about by all of it', () => {
  const { reason, suggestion } = judgeWeb('file:///etc/passwd', policyWith())
  expect(reason).toContain('file:///etc/passwd')
  expect(suggestion).toBeUndefined()
})

test('a rule for another project means nothing here', () => {
  const elsewhere = policyWith({ rules: rules('owner allow bash(make) in /work/other') })
  expect(judgeBash('make', elsewhere).decision).toBe('ask')
  expect(
    judgeBash('make', policyWith({ rules: rules('owner allow bash(make) in /work/app') })).decision,
  ).toBe('allow')
})

test('what was answered for the session is the command itself, with all that is in it', () => {
  const command = 'x=$(date); echo "$x" > .env'
  const policy = policyWith({ rules: [{ kind: 'allow', source: 'session', tool: 'bash', pattern: command }] })
  expect(judgeBash(command, policy).decision).toBe('allow')
  expect(judgeBash(`${command}; ls`, policy).decision).toBe('ask')
  const denied = { ...policy, rules: [...policy.rules, ...rules('project deny bash(echo:*)')] }
  expect(judgeBash(command, denied).decision).toBe('deny')
})

test.each([
  ['npm run build', 'bash(npm run build:*)'],
  ['npm run', 'bash(npm run)'],
  ['npm install', 'bash(npm install)'],
  ['npm audit', 'bash(npm audit)'],
  ['npm install left-pad', 'bash(npm install left-pad)'],
  ['npm test --script-shell=./x', 'bash(npm test --script-shell=./x)'],
  ['git fetch --upload-pack=./x .', 'bash(git fetch --upload-pack=./x .)'],
  ['git -C . commit', 'bash(git -C . commit)'],
  ['docker compose up', 'bash(docker compose up)'],
  ['git commit -m x', 'bash(git commit:*)'],
  ['git push origin main', 'bash(git push origin main)'],
  ['rm -rf dist', 'bash(rm -rf dist)'],
  ['ls && make all', 'bash(make all)'],
  ['make && curl x', undefined],
  ['curl $X', undefined],
  ['echo x > a', undefined],
  ['node -e "a b"', undefined],
  ['ls "', undefined],
])('for %s "always" would be %s', (command, suggestion) => {
  expect(judgeBash(command, policyWith()).suggestion).toBe(suggestion)
})

test.each([
  ['edit_file', 'src/deep/a.ts', 'edit_file(src/deep/**)'],
  ['edit_file', 'a.ts', 'edit_file(*)'],
  ['edit_file', '.env', 'edit_file(.env)'],
  ['edit_file', '/etc/hosts', 'edit_file(/etc/hosts)'],
  ['read_file', '/etc/hosts', 'read_file(/etc/hosts)'],
  ['read_file', '/home/me/notes.txt', 'read_file(/home/me/notes.txt)'],
  ['read_file', '/home/you/notes.txt', 'read_file(/home/you/notes.txt)'],
  ['read_file', '/x', 'read_file(/x)'],
  ['read_file', '/home/me/other/src/x.ts', 'read_file(/home/me/other/src/**)'],
  ['grep', '/work', 'grep(/work)'],
  ['edit_file', 'app/[id]/x', undefined],
])('for %s of %s "always" would be %s, and it would do', (tool, path, suggestion) => {
  expect(judgeFileTool(tool, path, policyWith()).suggestion).toBe(suggestion)
  if (suggestion === undefined) return
  const policy = policyWith({ rules: rules(`owner allow ${suggestion}`) })
  expect(judgeFileTool(tool, path, policy).decision).toBe('allow')
})

test('places that the program lends may be read, though they are in the home of Reverie', () => {
  const policy = policyWith({ roots: ['/home/me/.reverie/outputs/1'] })
  expect(judgeFileTool('read_file', '/home/me/.reverie/outputs/1/long.txt', policy).decision).toBe('allow')
  expect(judgeFileTool('read_file', '/home/me/.reverie/outputs/2/long.txt', policy).decision).toBe('ask')
  expect(
    judgeFileTool('write_file', '/home/me/.reverie/outputs/1/x', { ...policy, mode: 'auto' }).decision,
  ).toBe('ask')
})

test('links are followed, also those that lead to nothing, and what a pattern finds is looked at', () => {
  const root = fs.realpathSync(temporaryDirectory())
  makeFiles(root, [
    'app/src/a.ts',
    'out/x',
    'app/link -> ../out',
    'app/src/new.ts -> ../../out/new',
    'app/docs/a.md',
  ])
  const policy = policyWith({ root: `${root}/app`, mode: 'auto' })
  for (const path of ['link/x', 'link/y', 'src/new.ts']) {
    expect(judgeFileTool('write_file', path, policy).decision).toBe('ask')
    expect(judgeBash(`echo x > ${path}`, policy).decision).toBe('ask')
  }
  expect(judgeBash('cat src/*', policy).decision).toBe('ask')
  expect(judgeBash('cat docs/*', policy).decision).toBe('allow')
  expect(judgeBash('cat *.md', policy).decision).toBe('allow')
  expect(judgeBash('cd docs && cat *.md', policy).decision).toBe('allow')
  makeFiles(`${root}/app`, ['-n.md'])
  expect(judgeBash('cat *.md', policy).reason).toContain('taken for an option')
  expect(judgeBash('cat ./*.md', policy).decision).toBe('allow')
  expect(judgeBash('cd link/.. && ls', policy).decision).toBe('ask')
  expect(judgeBash('cp -r src copy', policy).decision).toBe('ask')
  expect(judgeBash('cp -r docs copy', policy).decision).toBe('allow')
})

test('a repository that a command makes is not one that was looked at', () => {
  const root = fs.realpathSync(temporaryDirectory())
  const policy = policyWith({ root, mode: 'auto' })
  const made = 'mkdir -p r/objects r/refs; echo x > r/HEAD; echo "[core]" > r/config; cd r && git status'
  expect(judgeBash(made, policy).decision).toBe('ask')
  expect(judgeBash('git status; git add -A', policy).decision).toBe('allow')
})

test('every verdict comes with a sentence', () => {
  for (const command of ['ls', 'make', 'ls "', 'cat .env', '$X', 'cat /etc/hosts', 'rm -rf /'])
    for (const mode of MODES) expect(judgeBash(command, policyWith({ mode })).reason).toMatch(/^\S.*\.$/s)
})

test('a pattern of files goes where the system would go, not where the path seems to', () => {
  const root = fs.realpathSync(temporaryDirectory())
  makeFiles(root, ['app/src/a.ts', 'out/in/x', 'out/secret', 'app/link -> ../out/in'])
  const policy = policyWith({ root: `${root}/app` })
  expect(judgeBash('cat l*/../secret', policy).decision).toBe('ask')
  expect(judgeBash('cat l*/../../app/src/a.ts', policy).decision).toBe('allow')
})

test('what is copied is judged by what it becomes', () => {
  const root = fs.realpathSync(temporaryDirectory())
  makeFiles(root, ['t/workflows/ci.yml', 'u/plain/a.ts', '.github/README.md'])
  const policy = policyWith({ root, mode: 'auto' })
  for (const command of ['cp -r t .github', 'cp -r t/. .github', 'cp -r t/workflows .github', 'mv t .github'])
    expect(judgeBash(command, policy).decision).toBe('ask')
  expect(judgeBash('cp -r u copy', policy).decision).toBe('allow')
  expect(judgeBash('mv u/plain moved', policy).decision).toBe('allow')
})

test('a program of the project is not the one of the system that it is called like', () => {
  const root = fs.realpathSync(temporaryDirectory())
  makeFiles(root, ['node_modules/.bin/ls', 'a.txt'])
  const searchPath = `${root}/node_modules/.bin:/usr/bin:/bin`
  expect(judgeBash('ls', policyWith({ root, searchPath })).decision).toBe('allow')
  fs.chmodSync(`${root}/node_modules/.bin/ls`, 0o755)
  expect(judgeBash('ls', policyWith({ root, searchPath })).reason).toContain('a program of the project')
  expect(judgeBash('cat a.txt', policyWith({ root, searchPath })).decision).toBe('allow')
})

test.each([
  ['LANG=C ls', 'allow'],
  ['TZ=Europe/Berlin date', 'allow'],
  ['LANGUAGE=en:de ls', 'allow'],
  ['TZ=/work/app/x date', 'ask'],
  ['TZ=:/x date', 'ask'],
  ['LANGUAGE=../../work/app ls', 'ask'],
  ['LC_ALL=/work/app/x ls', 'ask'],
  ['LANG=$x ls', 'ask'],
  ['env TZ=../x date', 'ask'],
])('%s: %s', (command, decision) => {
  expect(judgeBash(command, policyWith()).decision).toBe(decision)
})

test('what names more than can be looked at is asked about, and soon', () => {
  const root = fs.realpathSync(temporaryDirectory())
  makeFiles(
    root,
    Array.from({ length: 200 }, (_, at) => `d/${at}.txt`),
  )
  const policy = policyWith({ root })
  expect(judgeBash('cat d/*.txt d/*', policy).decision).toBe('allow')
  const verdict = judgeBash(`cat ${'d/*.t* '.repeat(300)}`, policy)
  expect(verdict).toMatchObject({
    decision: 'ask',
    reason: expect.stringContaining('more than can be looked at'),
  })
})

/** What is judged in a project with these files. */
function judgedWith(files: readonly string[], change: Partial<Policy> = {}) {
  const root = fs.realpathSync(temporaryDirectory())
  makeFiles(root, files)
  const policy = policyWith({ root, mode: 'auto', ...change })
  return { root, policy, decided: (command: string) => judgeBash(command, policy).decision }
}

test('what a search passes over is not passed over when it is told so', () => {
  const { root, decided } = judgedWith(['.env', 'src/a.ts', 'src/.hidden'])
  expect(decided('rg x')).toBe('allow')
  for (const glob of ["-g '*.ts'", "-g '!dist'", "--glob 'src/**/*.ts'"])
    expect(decided(`rg ${glob} x`), glob).toBe('allow')
  for (const glob of ['-g .env', "-g '**/.[e]*'", "--iglob '.ENV'", "-g '{.env,x}'", "-g '**'", "-g'*'"])
    expect(decided(`rg ${glob} x`), glob).toBe('ask')
  expect(decided("echo '!.env' > .rgignore; rg x")).toBe('ask')
  for (const [list, pattern] of [
    ['.gitignore', '!.env'],
    ['.ignore', '!**/.[e]nv'],
    ['src/.rgignore', '!{.env,.x}'],
    ['.git/info/exclude', '!/.e*'],
  ] as const) {
    fs.mkdirSync(join(root, list, '..'), { recursive: true })
    fs.writeFileSync(join(root, list), `*.log\n${pattern}\n`)
    fs.copyFileSync(join(root, '.env'), join(root, 'src', '.env'))
    expect(decided('rg x src'), list).toBe('ask')
    fs.writeFileSync(join(root, list), '*.log\n!.env.example\n!keep.txt\n')
    expect(decided('rg x src'), list).toBe('allow')
  }
})

test('nothing gets a name that a pattern could turn into an option', () => {
  const { decided } = judgedWith(['a.ts', 'odd/--pre=sh', 'src/b.ts'])
  for (const command of [
    'touch -- --pre=sh',
    'echo x > ./-x',
    'mkdir -p ./-a/b',
    'cp a.ts src/-n',
    'mv odd o',
  ])
    expect(decided(command), command).toBe('ask')
  expect(decided('mv src s')).toBe('allow')
  expect(judgeFileTool('write_file', '--pre=sh', policyWith({ mode: 'acceptEdits' })).decision).toBe('ask')
})

test('links stay what and where they are', () => {
  const { root, decided } = judgedWith(['src/deep/a.ts', 'notes/l -> ../src/deep/a.ts', 'turn -> src/deep'])
  for (const command of ['mv notes/l l', 'mv notes/l/ l', 'cp -r notes/l l', 'rm turn', 'rm -f notes/l'])
    expect(decided(command), command).toBe('ask')
  for (const command of ['cp notes/l l', 'mv src/deep/a.ts b.ts', 'rm src/deep/a.ts', 'cat notes/l'])
    expect(decided(command), command).toBe('allow')
  const policy = policyWith({ root, mode: 'auto' })
  const below = judgeBash(`mv ${root}/src/deep ${root}/d`, policy, join(root, 'src', 'deep'))
  expect(below.reason).toContain('the directory that the command runs in')
})

test('a repository within the project is not added unseen', () => {
  const { root, decided } = judgedWith(['a.ts', 'src/b.ts', 'lib/inner/c.ts', 'node_modules/x/.git/HEAD'])
  fs.writeFileSync(join(root, '.gitignore'), 'node_modules/\n')
  expect(decided('git add -A && git status')).toBe('allow')
  fs.mkdirSync(join(root, 'lib', 'inner', '.git'))
  for (const command of ['git add -A', 'git add .', 'git add lib', 'git add lib/inner', "git add ':/'"])
    expect(decided(command), command).toBe('ask')
  for (const command of ['git add a.ts', 'git add src && git status'])
    expect(decided(command), command).toBe('allow')
  fs.rmSync(join(root, 'lib'), { recursive: true })
  makeFiles(root, ['src/node_modules/y/.git/HEAD'])
  expect(decided('git add -A')).toBe('allow')
  fs.writeFileSync(join(root, 'src', '.gitignore'), '!node_modules/\n')
  expect(decided('git add -A')).toBe('ask')
  fs.rmSync(join(root, 'src'), { recursive: true })
  fs.writeFileSync(join(root, '.gitignore'), 'node_modules/\n!node_modules/\n')
  expect(decided('git add -A')).toBe('ask')
})

test('git grep finds secrets that are kept track of', () => {
  const { root, decided } = judgedWith(['a.ts', '.env'], { mode: 'ask' })
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root })
  git('init', '-q')
  git('add', 'a.ts')
  expect(decided('git grep x')).toBe('allow')
  expect(decided('git log -L1,2:a.ts')).toBe('allow')
  expect(decided('git log -L1,2:.env')).toBe('ask')
  git('add', '-f', '.env')
  expect(decided('git grep x')).toBe('ask')
})

test('what is written where programs are looked for needs a yes', () => {
  const root = fs.realpathSync(temporaryDirectory())
  makeFiles(root, ['bin/x', 'fake/.bin/ls', 'src/a.ts'])
  const programs = [`${root}/node_modules/.bin`, `${root}/bin`]
  const policy = policyWith({ root, mode: 'auto', programs })
  for (const command of ['cp src/a.ts bin/cat', 'mv fake node_modules', 'echo x > node_modules/.bin/ls'])
    expect(judgeBash(command, policy).decision, command).toBe('ask')
  expect(judgeFileTool('write_file', 'bin/ls', policy).reason).toContain('where commands are looked for')
  expect(judgeFileTool('write_file', 'src/ls', policy).decision).toBe('allow')
  expect(judgeFileTool('read_file', 'bin/x', policy).decision).toBe('allow')
})

test.each([
  ["printf '%s\\n' x", 'allow'],
  ["printf '100%%n'", 'allow'],
  ["printf 'x%n' PATH", 'ask'],
  ["printf '%%%-3ln' PATH", 'ask'],
  ['strings a.ts', 'allow'],
  ['strings @a.ts', 'ask'],
  ['date -d yesterday', 'allow'],
  [`date -d 'TZ="x" now'`, 'ask'],
  ['cat .*', 'ask'],
  ['cat .g*', 'allow'],
  ["git branch --format='%(refname)'", 'allow'],
  ["git branch --format='%(signature)'", 'ask'],
])('%s: %s, whatever is there', (command, decision) => {
  expect(judgedWith(['a.ts'], { mode: 'ask' }).decided(command)).toBe(decision)
})
