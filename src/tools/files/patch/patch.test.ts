import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fileAgent } from '../agent.fixture.ts'

const patch = (...lines: string[]) => ({ patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') })

test('updates, adds, moves and deletes, all in one', async () => {
  const agent = fileAgent()
  agent.put('a.ts', 'one\ntwo\nthree\n')
  agent.put('old.sh', 'x\ny\n')
  chmodSync(agent.at('old.sh'), 0o755)
  agent.put('gone.ts', 'bye\n')
  await agent.text('read_file', { path: 'gone.ts' })
  const told = await agent.text(
    'apply_patch',
    patch(
      '*** Update File: a.ts',
      '@@',
      ' one',
      '-two',
      '+2',
      ' three',
      '*** Add File: new/b.ts',
      '+hello',
      '+world',
      '*** Update File: old.sh',
      '*** Move to: new/moved.sh',
      '@@',
      '-x',
      '+X',
      '*** Delete File: gone.ts',
    ),
  )
  expect(told).toBe(
    'Changed a.ts.\nCreated new/b.ts.\nMoved old.sh to new/moved.sh and changed it.\nDeleted gone.ts.',
  )
  expect(agent.get('a.ts')).toBe('one\n2\nthree\n')
  expect(agent.get('new/b.ts')).toBe('hello\nworld\n')
  expect(agent.get('new/moved.sh')).toBe('X\ny\n')
  expect(statSync(agent.at('new/moved.sh')).mode & 0o777).toBe(0o755)
  expect(existsSync(agent.at('old.sh')) || existsSync(agent.at('gone.ts'))).toBe(false)
})

test('a place is found by its heading where lines repeat', async () => {
  const agent = fileAgent()
  agent.put('a.py', 'class A:\n  def f():\n    return 1\n\nclass B:\n  def f():\n    return 1\n')
  const change = (...headings: string[]) =>
    agent.text('apply_patch', patch('*** Update File: a.py', ...headings, '-    return 1', '+    return 2'))
  await expect(change('@@')).rejects.toThrow('fits at lines 3, 7')
  await expect(change('@@ def f():')).rejects.toThrow('fits at lines 3, 7')
  await expect(change('@@ class C:')).rejects.toThrow('no line "class C:"')
  await change('@@ class B:', '@@ def f():')
  expect(agent.get('a.py')).toBe('class A:\n  def f():\n    return 1\n\nclass B:\n  def f():\n    return 2\n')
})

test('context must fit exactly, and it is said what is there', async () => {
  const agent = fileAgent()
  agent.put('a.ts', '\tif (x)\n\t\ty()\n')
  await expect(
    agent.text('apply_patch', patch('*** Update File: a.ts', '@@', '   if (x)', '-    y()', '+    z()')),
  ).rejects.toThrow(/Part 1 of the patch of a\.ts does not fit[\s\S]*indentation[\s\S]*line 1/)
})

test('unified diffs: line numbers choose among places, new and deleted files, no newline at the end', async () => {
  const agent = fileAgent()
  agent.put('a.txt', 'x\ny\nx\ny\nx\nlast')
  agent.put('gone.txt', 'a\nb\n')
  const diff = [
    'diff --git a/a.txt b/a.txt',
    '--- a/a.txt',
    '+++ b/a.txt',
    '@@ -3,2 +3,2 @@',
    ' x',
    '-y',
    '+Y',
    '@@ -6 +6 @@',
    '-last',
    '\\ No newline at end of file',
    '+end',
    '',
    '--- /dev/null',
    '+++ b/new.txt',
    '@@ -0,0 +1 @@',
    '+n',
    '\\ No newline at end of file',
    '--- a/gone.txt',
    '+++ /dev/null',
    '@@ -1,2 +0,0 @@',
    '-a',
    '-b',
    'diff --git a/p.txt b/q.txt',
    'rename from p.txt',
    'rename to q.txt',
    '',
  ]
  agent.put('p.txt', 'p')
  await agent.text('read_file', { path: 'p.txt' })
  await agent.text('apply_patch', { patch: diff.join('\n') })
  expect(agent.get('a.txt')).toBe('x\ny\nx\nY\nx\nend\n')
  expect(agent.get('new.txt')).toBe('n')
  expect(existsSync(agent.at('gone.txt'))).toBe(false)
  expect(agent.get('q.txt')).toBe('p')
})

test('CRLF stays, and a file without a newline at its end stays so', async () => {
  const agent = fileAgent()
  agent.put('a.txt', 'one\r\ntwo\r\nthree')
  await agent.text(
    'apply_patch',
    patch('*** Update File: a.txt', ' one', '-two', '+2', '+2.5', '@@', '-three', '+3'),
  )
  expect(agent.get('a.txt')).toBe('one\r\n2\r\n2.5\r\n3')
  await agent.text('apply_patch', patch('*** Update File: a.txt', '@@', '+4', '*** End of File'))
  expect(agent.get('a.txt')).toBe('one\r\n2\r\n2.5\r\n3\r\n4')
})

test('nothing is changed when one file does not fit', async () => {
  const agent = fileAgent()
  agent.put('a.txt', 'a\n')
  agent.put('b.txt', 'b\n')
  const both = patch('*** Update File: a.txt', '-a', '+A', '*** Update File: b.txt', '-c', '+C')
  await expect(agent.text('apply_patch', both)).rejects.toThrow('b.txt does not fit')
  expect(agent.get('a.txt')).toBe('a\n')
})

test('when one cannot be written, those before it are what they were', async () => {
  const agent = fileAgent()
  agent.put('a.txt', 'a\n')
  agent.put('gone.txt', 'g\n')
  agent.put('blocked', 'file')
  chmodSync(agent.at('gone.txt'), 0o640)
  await agent.text('read_file', { path: 'gone.txt' })
  mkdirSync(agent.at('dir'))
  const failing = patch(
    '*** Update File: a.txt',
    '-a',
    '+A',
    '*** Delete File: gone.txt',
    '*** Add File: deep/er/new.txt',
    '+n',
    `*** Add File: dir/${'n'.repeat(300)}`,
    '+too long a name',
  )
  await expect(agent.text('apply_patch', failing)).rejects.toThrow(/too long/)
  expect(agent.get('a.txt')).toBe('a\n')
  expect(agent.get('gone.txt')).toBe('g\n')
  expect(statSync(agent.at('gone.txt')).mode & 0o777).toBe(0o640)
  expect(existsSync(agent.at('deep'))).toBe(false)
})

test('refused: adding what exists, deleting unread, twice the same file, moving onto a file', async () => {
  const agent = fileAgent()
  agent.put('a.txt', 'a\n')
  agent.put('b.txt', 'b\n')
  const refused = (...lines: string[]) => expect(agent.text('apply_patch', patch(...lines))).rejects
  await refused('*** Add File: a.txt', '+x').toThrow('exists already')
  await refused('*** Delete File: a.txt').toThrow('not read it')
  await refused('*** Update File: a.txt', '-a', '+b', '*** Update File: ./a.txt', '-a', '+c').toThrow('twice')
  await refused('*** Update File: a.txt', '*** Move to: b.txt', '-a', '+b').toThrow('exists already')
  await refused('*** Update File: a.txt', '@@', '+more').toThrow('not read it')
  await refused('*** Update File: none.txt', '-a', '+b').toThrow('does not exist')
  await refused('*** Update File: a.txt', ' a').toThrow('changes nothing')
  await refused('*** Update File: a.txt', '@@', '!a').toThrow('begins with none of')
  await expect(agent.text('apply_patch', { patch: 'hello' })).rejects.toThrow('not a patch')
  await expect(agent.text('apply_patch', { patch: '*** Begin Patch\n*** Add File: x\n+1' })).rejects.toThrow(
    'cut',
  )
})
