import { type Command, Option } from 'commander'
import {
  MEMORY_TYPES,
  type Memory,
  MemoryIsOff,
  type MemoryType,
  ORIGINS,
  type Origin,
  SCOPES,
  type Scope,
} from '../memory/index.ts'
import { dropProposals, keepProposals, showProposals } from '../surfaces/actions/proposals.ts'
import {
  printChange,
  printDiagnosis,
  printFull,
  printHistory,
  printList,
  printRecalled,
  printSaved,
  printUndone,
} from '../surfaces/text/memories.ts'
import { editInEditor } from './editor.ts'
import { Invocation } from './invocation.ts'
import { positive } from './numbers.ts'
import { orStandardInput } from './standard-input.ts'

const EXAMPLES = `
Examples:
  $ reverie memory save --type user --name "Prefers tabs" --description "Indents with tabs, never spaces" --body "Use tabs."
  $ git log -3 --format=%B | reverie memory save --type project --name "Why we moved" --description "Reasons for the move" --body -
  $ reverie memory list --scope user
  $ reverie memory forget user_prefers-tabs.md        it stays in the trash for 30 days
  $ reverie memory undo                               takes the last change back
  $ reverie memory doctor --fix
`

interface ScopeFlag {
  scope?: Scope
}

export function define(command: Command): void {
  command.addHelpText('after', EXAMPLES)
  on(
    command.command('list').description('every memory, newest first').addOption(scopeOption()),
    async (memory, { scope }: ScopeFlag, { output }) => {
      const listed = await memory.list(scope)
      output.result(listed, () => printList(listed))
    },
  )
  on(
    command.command('show <file>').description('one memory in full').addOption(scopeOption()),
    async (memory, { scope }: ScopeFlag, { output }, file) => {
      const full = await memory.get(file, scope)
      output.result(full, () => printFull(full))
    },
  )
  defineSave(command)
  defineEdit(command)
  on(
    command
      .command('pin <file>')
      .description('keep a memory from every automatic change')
      .option('--off', 'unpin it')
      .addOption(scopeOption()),
    async (memory, { scope, off }: ScopeFlag & { off?: boolean }, { output }, file) => {
      const changed = await memory.pin(file, !off, scoped(scope))
      output.result(changed, () => printChange(off ? 'Unpinned' : 'Pinned', changed))
    },
  )
  on(
    command
      .command('forget <file>')
      .description('move a memory to the trash, for 30 days')
      .option('--purge', 'remove it from the trash and the journal too, for good')
      .addOption(scopeOption()),
    async (memory, { scope, purge }: ScopeFlag & { purge?: boolean }, { output }, file) => {
      const changed = await memory.forget(file, { ...scoped(scope), ...(purge && { purge }) })
      output.result(changed, () => printChange(purge ? 'Purged' : 'Forgot', changed))
    },
  )
  on(
    command.command('restore <file>').description('bring a forgotten memory back').addOption(scopeOption()),
    async (memory, { scope }: ScopeFlag, { output }, file) => {
      const changed = await memory.restore(file, scoped(scope))
      output.result(changed, () => printChange('Restored', changed))
    },
  )
  on(
    command.command('undo [id]').description('take back a change of memories, the last one unless told'),
    async (memory, _: object, invocation, id) => {
      const undone = await memory.undo(id || undefined)
      if (undone.conflicts.length > 0) invocation.fail()
      invocation.output.result(undone, () => printUndone(undone))
    },
  )
  on(
    command
      .command('proposed')
      .description('what waits for your yes before it is remembered (extraction.approval ask)'),
    async (memory, _, { output }) => {
      const { value, text } = await showProposals(memory)
      output.result(value, () => text)
    },
  )
  on(
    command.command('keep <id>').description('remember what was proposed; all of it with "all"'),
    async (memory, _, { output }, id) => {
      const { value, text } = await keepProposals(memory, id)
      output.result(value, () => text)
    },
  )
  on(
    command.command('drop <id>').description('let go of what was proposed; all of it with "all"'),
    async (memory, _, { output }, id) => {
      const { value, text } = await dropProposals(memory, id)
      output.result(value, () => text)
    },
  )
  on(
    command
      .command('search <query>')
      .description('the best there is for a question')
      .option('-k <n>', 'how many', positive, 10),
    async (memory, { k }: { k: number }, { output }, query) => {
      const found = await memory.search(query, k)
      output.result(found, () => printRecalled(found))
    },
  )
  on(
    command
      .command('history <file>')
      .description('what happened to a memory')
      .option('--diff', 'with what changed')
      .addOption(scopeOption()),
    async (memory, { scope, diff }: ScopeFlag & { diff?: boolean }, { output }, file) => {
      const entries = await memory.history(file, scope)
      const full = await Promise.all(
        entries.map(async entry => (diff ? { ...entry, diff: await memory.diff(entry.id) } : entry)),
      )
      output.result(full, () => printHistory(full))
    },
  )
  on(
    command
      .command('doctor')
      .description('what is wrong with the memories')
      .option('--fix', 'mend what can be mended without deciding anything'),
    async (memory, { fix }: { fix?: boolean }, invocation) => {
      const diagnosis = await memory.doctor({ fix: fix ?? false })
      if (!diagnosis.ok) invocation.fail()
      invocation.output.result(diagnosis, () => printDiagnosis(diagnosis))
    },
  )
  on(
    command.command('prompt').description('the section on memory for a system prompt'),
    async (memory, _: object, { output }) => {
      const prompt = await memory.prompt()
      output.result({ prompt }, () => prompt)
    },
  )
  on(
    command.command('path').description('where the memories are kept').addOption(scopeOption()),
    async (memory, { scope }: ScopeFlag, { output }) => {
      const path = memory.place(scope)
      output.result({ path }, () => path)
    },
  )
}

interface SaveFlags extends ScopeFlag {
  type: MemoryType
  name: string
  description: string
  body: string
  pinned?: boolean
  origin?: Origin
  mayShrink?: boolean
}

function defineSave(command: Command): void {
  const save = command
    .command('save')
    .description('remember something, or bring the memory of that type and name up to date')
    .addOption(new Option('--type <type>', 'what kind of memory').choices(MEMORY_TYPES).makeOptionMandatory())
    .requiredOption('--name <name>', 'a few words')
    .requiredOption('--description <line>', 'one line, by which it is found again')
    .requiredOption('--body <text>', 'all of it; - reads it from standard input')
    .option('--pinned', 'no automatic change, ever')
    .addOption(new Option('--origin <origin>', 'where it comes from').choices(ORIGINS))
    .option('--may-shrink', 'an update may cut a long memory to less than half')
    .addOption(scopeOption())
  on(save, async (memory, { body, ...flags }: SaveFlags, { output }) => {
    const saved = await memory.save({ ...flags, body: await orStandardInput(body) })
    output.result(saved, () => printSaved(saved))
  })
}

interface EditFlags extends ScopeFlag {
  name?: string
  description?: string
  type?: MemoryType
  body?: string
}

function defineEdit(command: Command): void {
  const edit = command
    .command('edit <file>')
    .description('change parts of a memory, or all of it in your $EDITOR')
    .option('--name <name>', 'another name')
    .option('--description <line>', 'another description')
    .addOption(new Option('--type <type>', 'another type').choices(MEMORY_TYPES))
    .option('--body <text>', 'another body; - reads it from standard input')
    .addOption(scopeOption())
  on(edit, async (memory, { scope, body, ...flags }: EditFlags, { output, env }, file) => {
    const parts = { ...flags, ...(body !== undefined && { body: await orStandardInput(body) }) }
    if (Object.values(parts).some(part => part !== undefined)) {
      const changed = await memory.edit(file, parts, scoped(scope))
      return output.result(changed, () => printChange('Edited', changed))
    }
    const full = await memory.get(file, scope)
    await editInEditor(full.text, file, env, async text => {
      if (text === full.text) return output.result({ file, unchanged: true }, () => 'Nothing was changed.')
      const changed = await memory.rewrite(full, text)
      output.result(changed, () => printChange('Edited', changed))
    })
  })
}

type Action<Flags> = (memory: Memory, flags: Flags, invocation: Invocation, argument: string) => Promise<void>

/** Opens the memory around an action, and closes it. */
function on<Flags extends object>(command: Command, action: Action<Flags>): void {
  command.action(async (...args: unknown[]) => {
    const self = args.at(-1) as Command
    const invocation = new Invocation(self)
    if (!invocation.flags.memory) throw new MemoryIsOff()
    using memory = await invocation.memory()
    const argument = typeof args[0] === 'string' ? args[0] : ''
    await action(memory, self.opts<Flags>(), invocation, argument)
  })
}

function scopeOption(): Option {
  return new Option('--scope <scope>', 'whose memory').choices(SCOPES)
}

function scoped(scope: Scope | undefined): { scope?: Scope } {
  return scope === undefined ? {} : { scope }
}
