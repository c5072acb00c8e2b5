import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { homeAt } from '../../config/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { OTHER_AGENTS } from './agents/index.ts'
import { planConnect, planDisconnect } from './connect.ts'
import type { Machine } from './machine.ts'
import type { OtherAgent } from './other-agent.ts'

/** A machine of nobody, with every agent on it and no settings yet. */
export function emptyMachine({ program }: { program?: string } = {}) {
  const root = temporaryDirectory()
  const bin = join(root, 'the program', 'reverie')
  put(bin, '')
  chmodSync(bin, 0o700)
  const machine: Machine = {
    home: join(root, 'me'),
    env: {},
    platform: 'linux',
    program: [program ?? bin],
    flags: [],
  }
  for (const agent of OTHER_AGENTS) mkdirSync(agent.directory(machine), { recursive: true })
  const home = homeAt(join(root, 'home'))
  return {
    root,
    machine,
    home,
    connect: async (agent: OtherAgent, on = machine) => {
      const plan = await planConnect({ agent, machine: on, home })
      await plan.apply()
      return plan
    },
    disconnect: async (agent: OtherAgent) => {
      const plan = await planDisconnect({ agent, machine, home })
      await plan.apply()
      return plan
    },
  }
}

export function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

export function read(path: string): string {
  return readFileSync(path, 'utf8')
}

const BYE = '{ "type": "command", "command": "say bye" }'

/** Settings as people and programs leave them, each valid for its program. */
export const NASTY_JSON: Readonly<Record<string, string>> = {
  'nothing at all': '',
  'an empty object': '{}',
  'an empty object with space': '{ }\n',
  'an empty object over lines': '{\n}\n',
  'one line': '{"model":"opus","permissions":{"allow":["Bash(ls)"]}}',
  'one line with space': '{ "model": "opus", "list": [ 1, 2 ] }\n',
  tabs: '{\n\t"model": "opus",\n\t"mcpServers": {\n\t\t"files": { "command": "npx", "args": ["-y", "x"] }\n\t}\n}\n',
  'four spaces, no end of line': '{\n    "a": {\n        "b": [\n            1\n        ]\n    }\n}',
  CRLF: '{\r\n  "model": "opus",\r\n  "hooks": {\r\n    "Stop": []\r\n  }\r\n}\r\n',
  'a mark at the beginning': '\ufeff{\n  "model": "opus"\n}\n',
  comments:
    '// mine\n{\n  // why\n  "model": "opus", // the best\n  /* many\n     lines */\n  "env": { "A": "1" /* inside */ } // last\n  // end\n}\n// after\n',
  'trailing commas': '{\n  "model": "opus",\n  "list": [\n    1,\n    2,\n  ],\n}\n',
  'other hooks': `{\n  "hooks": {\n    "Stop": [\n      { "hooks": [ ${BYE} ] }\n    ],\n    "PreToolUse": [{ "matcher": "Bash", "hooks": [${BYE}] }]\n  }\n}\n`,
  'other hooks, flat': `{\n  "version": 1,\n  "hooks": {\n    "stop": [\n      { "command": "./audit.sh" }\n    ]\n  }\n}\n`,
  'names that stand twice':
    '{\n  "mcpServers": { "a": { "command": "a" } },\n  "mcpServers": { "b": { "command": "b" } },\n  "model": "x",\n  "model": "y"\n}\n',
  unicode: '{\n  "имя": "日本語 \\u00e9 é 🎉",\n  "mcpServers": { "файлы": { "command": "ü" } }\n}\n',
  'an entry made by hand':
    '{\n  "mcpServers": { "reverie": { "command": "reverie", "args": ["mcp"], "env": { "X": "1" } } },\n  "servers": { "reverie": { "command": "mine" } },\n  "mcp": { "reverie": { "type": "local", "command": ["mine"] } }\n}\n',
  'servers one level deeper':
    '{\n  "mcp": {\n    "servers": {\n      "a": { "type": "local", "command": ["a"] },\n    },\n  },\n}\n',
  'a brace in a text': '{\n  "note": "} , { // no comment /* nor this",\n  "b": 1\n}\n',
  'crooked indentation': '{ "a": 1,\n      "b": 2,\n "c": { "d": 3\n} }',
}

export const NASTY_TOML: Readonly<Record<string, string>> = {
  'nothing at all': '',
  'no end of line': 'model = "gpt-5"',
  comments:
    '# mine\nmodel = "gpt-5" # the best\n\n[mcp_servers.files] # files\ncommand = "npx"\nargs = [\n  "-y", # yes\n  "x",\n]\n',
  CRLF: 'model = "gpt-5"\r\n\r\n[features]\r\nhooks = true\r\n',
  'a mark at the beginning': '\ufeffmodel = "gpt-5"\n',
  'other hooks': '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "say bye"\n',
  'a text of many lines': 'notify = ["a"]\nnote = """\n[not.a.table]\n# >>> mine\n"""\n\n\n',
  'an entry made by hand': '[mcp_servers.reverie]\ncommand = "reverie"\nargs = ["mcp"]\n',
  'a large number': 'seed = 9223372036854775807\n',
  unicode: '"имя" = "日本語 🎉"\n',
  'tabs and quoted tables': '[projects."/home/me/a.b"]\n\ttrust_level = "trusted"\n',
}
