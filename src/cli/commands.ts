import type { Command } from 'commander'

/** A command's file: adds its arguments, help and action to the command of its name. */
export interface CommandFile {
  define(command: Command): void
}

interface CommandEntry {
  summary: string
  load: () => Promise<CommandFile>
  /** For programs: it is not among the commands that help lists. */
  hidden?: boolean
}

/** Every command. Its file is loaded only when the command is run or its help is asked for. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  chat: {
    summary: 'talk in the terminal; what happens when no command is given',
    load: () => import('./chat.ts'),
  },
  config: { summary: 'read and change settings', load: () => import('./config.ts') },
  permissions: {
    summary: 'what may run without a question: list and remove rules',
    load: () => import('./permissions.ts'),
  },
  memory: {
    summary: 'what is remembered: list, save, edit, forget, undo…',
    load: () => import('./memory.ts'),
  },
  dream: {
    summary: 'consolidate memory now; status, log, show, restore',
    load: () => import('./dream.ts'),
  },
  recall: { summary: 'the memories that clearly answer a question', load: () => import('./recall.ts') },
  sessions: {
    summary: 'conversations: list, show, search, fork, export…',
    load: () => import('./sessions.ts'),
  },
  tasks: {
    summary: 'what is to be done: create, list, claim, complete…',
    load: () => import('./tasks.ts'),
  },
  bg: {
    summary: 'what runs in the background: list, show, stop',
    load: () => import('./bg.ts'),
  },
  cron: {
    summary: 'what is to be done later, or again and again: add, list, remove, run',
    load: () => import('./cron.ts'),
  },
  gateway: {
    summary: 'stay and begin jobs when their time comes: run, status, stop',
    load: () => import('./gateway.ts'),
  },
  skills: {
    summary: 'instructions for kinds of work: list, show, enable, disable',
    load: () => import('./skills.ts'),
  },
  models: { summary: 'the models that can be used, and which one is', load: () => import('./models.ts') },
  import: { summary: 'take over what another agent has written down', load: () => import('./import.ts') },
  web: { summary: 'the page, in a browser on this machine', load: () => import('./web.ts') },
  connect: {
    summary: 'put memory into another agent: Claude Code, Codex, Cursor…',
    load: () => import('./connect.ts'),
  },
  hook: { summary: 'what connected agents run', load: () => import('./hook.ts'), hidden: true },
  disconnect: { summary: 'take it out again', load: () => import('./disconnect.ts') },
  mcp: {
    summary: 'lend memory to other agents; the MCP servers that lend tools',
    load: () => import('./mcp.ts'),
  },
  keys: { summary: 'keys that let programs in over HTTP', load: () => import('./keys.ts') },
  hooks: {
    summary: "commands around the agent's work: list them, trust a project's",
    load: () => import('./hooks.ts'),
  },
  doctor: { summary: 'what is set up, what is wrong, how to mend it', load: () => import('./doctor.ts') },
}
