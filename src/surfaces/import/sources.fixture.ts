/** The files that other programs leave behind, made by hand after their formats. */
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export function writeText(path: string, text: string): string {
  fs.mkdirSync(dirname(path), { recursive: true })
  fs.writeFileSync(path, text)
  return path
}

export function writeLines(path: string, lines: readonly unknown[]): string {
  return writeText(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
}

/** Every file below a directory with its content, as one value that is equal when nothing has changed. */
export function treeOf(directory: string): Record<string, string> {
  const tree: Record<string, string> = {}
  const names = fs.existsSync(directory)
    ? fs.readdirSync(directory, { recursive: true, encoding: 'utf8' })
    : []
  for (const name of names.toSorted()) {
    const path = join(directory, name)
    if (!fs.lstatSync(path).isFile()) continue
    tree[relative(directory, path)] = createHash('sha256').update(fs.readFileSync(path)).digest('hex')
  }
  return tree
}

export const UUID = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

export function claudeUser(n: number, cwd: string, content: unknown, more: object = {}): object {
  return {
    parentUuid: n > 1 ? UUID(n - 1) : null,
    isSidechain: false,
    userType: 'external',
    cwd,
    sessionId: UUID(9_000),
    version: '2.1.0',
    type: 'user',
    message: { role: 'user', content },
    uuid: UUID(n),
    timestamp: new Date(Date.UTC(2026, 2, 1, 12, 0, n)).toISOString(),
    ...more,
  }
}

export function claudeReply(
  n: number,
  cwd: string,
  block: object,
  more: { id?: string; output?: number } = {},
): object {
  return {
    parentUuid: UUID(n - 1),
    isSidechain: false,
    cwd,
    sessionId: UUID(9_000),
    type: 'assistant',
    message: {
      id: more.id ?? `msg_${n}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-4-5',
      content: [block],
      stop_reason: null,
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 100,
        cache_read_input_tokens: 1_000,
        output_tokens: more.output ?? 50,
      },
    },
    requestId: `req_${n}`,
    uuid: UUID(n),
    timestamp: new Date(Date.UTC(2026, 2, 1, 12, 0, n)).toISOString(),
  }
}

export const CLAUDE_SESSION = '11111111-2222-4333-8444-555555555555'

/** A conversation with a bit of everything. */
export function claudeLines(cwd: string): object[] {
  return [
    { type: 'file-history-snapshot', messageId: UUID(1), snapshot: {} },
    { type: 'summary', summary: 'About another session', leafUuid: UUID(77) },
    claudeUser(1, cwd, 'Why does the build fail? <system-reminder>The date is today.</system-reminder>'),
    claudeReply(2, cwd, { type: 'thinking', thinking: 'Let me look.', signature: 'c2ln' }, { id: 'msg_a' }),
    claudeReply(3, cwd, { type: 'text', text: 'I am looking.' }, { id: 'msg_a' }),
    claudeReply(
      4,
      cwd,
      { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'make' } },
      { id: 'msg_a', output: 80 },
    ),
    claudeUser(
      5,
      cwd,
      [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'make: *** [all] Error 1', is_error: true }],
      {
        toolUseResult: 'Error: make: *** [all] Error 1',
      },
    ),
    claudeUser(6, cwd, '<command-name>/cost</command-name>'),
    claudeUser(7, cwd, 'A skill body', { isMeta: true }),
    claudeUser(8, cwd, 'Explore the code', { isSidechain: true }),
    {
      type: 'attachment',
      uuid: UUID(9),
      timestamp: '2026-03-01T12:00:09.000Z',
      cwd,
      attachment: { type: 'queued_command', commandMode: 'prompt', prompt: 'And run the tests too' },
    },
    claudeReply(10, cwd, { type: 'text', text: 'A header is missing.' }),
    { type: 'ai-title', aiTitle: 'Build fails: missing header', sessionId: CLAUDE_SESSION },
  ]
}

/** `~/.claude` with one project. */
export function makeClaudeCode(root: string, cwd: string): string {
  const project = join(root, 'projects', cwd.replaceAll(/[^A-Za-z0-9]/g, '-'))
  writeLines(join(project, `${CLAUDE_SESSION}.jsonl`), claudeLines(cwd))
  writeLines(join(project, 'agent-12345678.jsonl'), [claudeUser(1, cwd, 'x', { isSidechain: true })])
  writeLines(join(project, CLAUDE_SESSION, 'subagents', 'agent-1.jsonl'), [claudeUser(1, cwd, 'x')])
  writeText(join(project, 'memory', 'MEMORY.md'), '- [Prefers tabs](user_tabs.md) — tabs\n')
  writeText(
    join(project, 'memory', 'user_tabs.md'),
    '---\nname: Prefers tabs\ndescription: Indents with tabs, never spaces\ntype: user\n---\n\nUse tabs.\n',
  )
  writeText(
    join(project, 'memory', 'deploys.md'),
    '---\nname: deploys-on-friday\ndescription: "Deploys happen on Friday: because the team is there"\nmetadata:\n  node_type: memory\n  type: project\n  originSessionId: x\n  modified: 2026-01-05T10:00:00.000Z\n---\n\nWe deploy on Fridays, because everybody is there.\n',
  )
  return root
}

export const CODEX_SESSION = '019a2d7a-41c4-78b1-b7cc-a45d62a89cd5'

export function codexLine(n: number, type: string, payload: object): object {
  return { timestamp: new Date(Date.UTC(2026, 1, 1, 9, 0, n)).toISOString(), type, payload }
}

function codexText(role: string, text: string): object {
  return {
    type: 'message',
    role,
    content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
  }
}

export function codexLines(cwd: string): object[] {
  const item = (n: number, payload: object) => codexLine(n, 'response_item', payload)
  return [
    codexLine(0, 'session_meta', {
      id: CODEX_SESSION,
      cwd,
      originator: 'codex_cli_rs',
      model_provider: 'openai',
      source: 'cli',
    }),
    item(1, codexText('developer', '<permissions instructions>ask</permissions instructions>')),
    item(
      1,
      codexText('user', `# AGENTS.md instructions for ${cwd}\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>`),
    ),
    item(1, codexText('user', `<environment_context>\n  <cwd>${cwd}</cwd>\n</environment_context>`)),
    item(2, codexText('user', 'Rename the flag')),
    codexLine(2, 'event_msg', { type: 'user_message', message: 'Rename the flag' }),
    codexLine(2, 'turn_context', { cwd, model: 'gpt-5-codex' }),
    item(3, {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Looking for the flag' }],
      encrypted_content: 'x',
    }),
    item(4, {
      type: 'function_call',
      name: 'shell',
      arguments: '{"command":["rg","flag"]}',
      call_id: 'call_1',
    }),
    codexLine(4, 'event_msg', {
      type: 'token_count',
      info: {
        total_token_usage: { total_tokens: 1_200 },
        last_token_usage: {
          input_tokens: 1_100,
          cached_input_tokens: 900,
          output_tokens: 100,
          total_tokens: 1_200,
        },
      },
    }),
    item(5, {
      type: 'function_call_output',
      call_id: 'call_1',
      output: '{"output":"none","metadata":{"exit_code":1}}',
    }),
    item(6, codexText('assistant', 'It is renamed.')),
    codexLine(7, 'compacted', { message: 'The flag was renamed.' }),
    codexLine(8, 'event_msg', { type: 'thread_name_updated', thread_name: 'Renaming the flag' }),
  ]
}

/** Until September 2025: no envelope, no directory, no times. */
export function oldCodexLines(cwd: string): object[] {
  return [
    {
      id: 'c3c4b301-27c8-4c70-b6e4-46b99fdf0236',
      timestamp: '2025-08-18T01:16:13.522Z',
      instructions: null,
      git: {},
    },
    { record_type: 'state' },
    codexText('user', `<environment_context>\n  <cwd>${cwd}</cwd>\n</environment_context>`),
    codexText('user', 'yes'),
    codexText('assistant', 'Done.'),
    codexText('user', 'yes'),
  ]
}

export function makeCodex(root: string, cwd: string): string {
  writeLines(
    join(root, 'sessions/2026/02/01', `rollout-2026-02-01T09-00-00-${CODEX_SESSION}.jsonl`),
    codexLines(cwd),
  )
  writeLines(
    join(root, 'archived_sessions/rollout-2025-08-18T01-16-13-c3c4b301-27c8-4c70-b6e4-46b99fdf0236.jsonl'),
    oldCodexLines(cwd),
  )
  writeLines(
    join(root, 'sessions/2026/02/01/rollout-2026-02-01T09-00-01-019a2d7a-41c4-78b1-b7cc-000000000000.jsonl'),
    [
      codexLine(0, 'session_meta', {
        id: 'x',
        cwd,
        source: { subagent: { thread_spawn: { parent_thread_id: CODEX_SESSION } } },
      }),
    ],
  )
  return root
}

export function nanobotLines(key = 'telegram:42'): object[] {
  return [
    {
      _type: 'metadata',
      key,
      created_at: '2026-01-01T08:00:00.000001',
      updated_at: '2026-01-01T08:01:00',
      metadata: {},
      last_consolidated: 0,
    },
    { role: 'user', content: 'What is the weather?', timestamp: '2026-01-01T08:00:01.000001' },
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'I should look.',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'web_search', arguments: '{"query":"weather"}' } },
      ],
      timestamp: '2026-01-01T08:00:02.000001',
    },
    {
      role: 'tool',
      tool_call_id: 'c1',
      name: 'web_search',
      content: 'Rain.',
      timestamp: '2026-01-01T08:00:03.000001',
    },
    { role: 'assistant', content: 'It rains.', timestamp: '2026-01-01T08:00:04.000001' },
    {
      role: 'user',
      content:
        '[Runtime Context — metadata only, not instructions]\nChannel: telegram\n[/Runtime Context]\n\nThank you',
      timestamp: '2026-01-01T08:00:05.000001',
    },
  ]
}

export function makeNanobot(root: string): string {
  const workspace = join(root, 'workspace')
  writeLines(join(workspace, 'sessions', 'telegram_42.jsonl'), nanobotLines())
  writeLines(join(workspace, 'sessions', 'cron_daily.jsonl'), [
    { _type: 'metadata', key: 'cron:daily', created_at: '2026-01-02T08:00:00' },
    { role: 'user', content: 'Look at the calendar', timestamp: '2026-01-02T08:00:01' },
    { role: 'assistant', content: 'Nothing today.', timestamp: '2026-01-02T08:00:02' },
  ])
  writeText(
    join(workspace, 'memory', 'MEMORY.md'),
    '# Long-term Memory\n\nThis file stores important information that should persist across sessions.\n\n## User Information\n\n- Lives in Lisbon, because of the light\n\n## Project Context\n\n- Decided to use PostgreSQL instead of MySQL\n\n## Important Notes\n\n(Things to remember)\n\n---\n\n*This file is automatically updated by nanobot.*\n',
  )
  writeLines(join(workspace, 'memory', 'history.jsonl'), [
    { cursor: 1, timestamp: '2026-01-01 08:05', content: '- The owner asked about the weather' },
    { cursor: 2, timestamp: '2026-01-02 08:05', content: '- Nothing in the calendar' },
  ])
  writeText(join(workspace, 'SOUL.md'), '# Soul\n\nI am calm and brief.\n')
  writeText(
    join(workspace, 'USER.md'),
    '# User Profile\n\nInformation about the user to help personalize interactions.\n\n- **Name**: (your name)\n- [ ] Casual\n',
  )
  return root
}

export const OPENCODE_SESSION = 'ses_469cf929cffeBICghRNeI7BWy6'

interface OpenCodeMessage {
  id: string
  info: object
  parts: Array<{ id: string; data: object }>
}

export function openCodeMessages(): OpenCodeMessage[] {
  const time = (n: number) => Date.UTC(2026, 0, 15, 10, 0, n)
  return [
    {
      id: 'msg_001',
      info: { role: 'user', time: { created: time(1) } },
      parts: [
        { id: 'prt_001', data: { type: 'text', text: 'Read the file' } },
        { id: 'prt_002', data: { type: 'text', text: 'Called the Read tool', synthetic: true } },
      ],
    },
    {
      id: 'msg_002',
      info: {
        role: 'assistant',
        time: { created: time(2), completed: time(5) },
        providerID: 'anthropic',
        modelID: 'claude-sonnet-4-5',
        cost: 0.02,
        tokens: { input: 5, output: 20, reasoning: 7, cache: { read: 100, write: 10 } },
        finish: 'stop',
      },
      parts: [
        { id: 'prt_003', data: { type: 'step-start' } },
        { id: 'prt_004', data: { type: 'reasoning', text: 'I read it.', time: { start: time(2) } } },
        {
          id: 'prt_005',
          data: {
            type: 'tool',
            callID: 'call_a',
            tool: 'read',
            state: { status: 'completed', input: { path: 'a' }, output: 'hello' },
          },
        },
        { id: 'prt_006', data: { type: 'text', text: 'It says hello.' } },
      ],
    },
  ]
}

/** The files of OpenCode before 2026. */
export function makeOpenCodeStorage(root: string, directory: string, messages = openCodeMessages()): string {
  const storage = join(root, 'storage')
  const write = (path: string, value: object) =>
    writeText(join(storage, `${path}.json`), JSON.stringify(value, null, 2))
  const project = 'a1b2c3'
  write(`project/${project}`, { id: project, worktree: directory, vcs: 'git' })
  write(`session/${project}/${OPENCODE_SESSION}`, {
    id: OPENCODE_SESSION,
    projectID: project,
    directory,
    title: 'Reading a file',
    time: { created: Date.UTC(2026, 0, 15, 10), updated: Date.UTC(2026, 0, 15, 11) },
  })
  write(`session/${project}/ses_sub`, { id: 'ses_sub', parentID: OPENCODE_SESSION, directory, title: 'sub' })
  for (const { id, info, parts } of messages) {
    write(`message/${OPENCODE_SESSION}/${id}`, { id, sessionID: OPENCODE_SESSION, ...info })
    for (const part of parts) write(`part/${id}/${part.id}`, { id: part.id, messageID: id, ...part.data })
  }
  return root
}

const OPENCODE_TABLES = `
  CREATE TABLE project (id TEXT PRIMARY KEY, worktree TEXT NOT NULL);
  CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, parent_id TEXT, slug TEXT NOT NULL,
    directory TEXT NOT NULL, title TEXT NOT NULL, version TEXT NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL);
  CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
  CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
`

/** The database of OpenCode since 2026; the caller closes it, or leaves it open with a log beside it. */
export function makeOpenCodeDatabase(
  root: string,
  directory: string,
  messages = openCodeMessages(),
): DatabaseSync {
  fs.mkdirSync(root, { recursive: true })
  const db = new DatabaseSync(join(root, 'opencode.db'))
  db.exec('PRAGMA journal_mode = WAL')
  db.exec(OPENCODE_TABLES)
  const session = db.prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  session.run(OPENCODE_SESSION, 'p', null, 's', directory, 'Reading a file', '1.2', 1, 2)
  session.run('ses_sub', 'p', OPENCODE_SESSION, 's', directory, 'sub', '1.2', 1, 2)
  for (const message of messages) addOpenCodeMessage(db, message)
  return db
}

export function addOpenCodeMessage(
  db: DatabaseSync,
  { id, info, parts }: OpenCodeMessage,
  session = OPENCODE_SESSION,
): void {
  const at = (info as { time: { created: number } }).time.created
  db.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)').run(id, session, at, at, JSON.stringify(info))
  for (const part of parts)
    db.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)').run(
      part.id,
      id,
      session,
      at,
      at,
      JSON.stringify(part.data),
    )
}

export const CHATGPT_CONVERSATION = '67a1b2c3-0000-8000-9000-abcdefabcdef'

export function chatGptConversation(): object {
  const node = (id: string, parent: string | null, message: object | null) => ({
    id,
    parent,
    children: [],
    message,
  })
  const said = (id: string, role: string, content: object, more: object = {}) => ({
    id,
    author: { role, name: null, metadata: {} },
    create_time: 1_735_689_600 + Number(id.slice(1)),
    content,
    metadata: {},
    recipient: 'all',
    ...more,
  })
  const text = (...parts: unknown[]) => ({ content_type: 'text', parts })
  return {
    title: 'Trip to Porto',
    create_time: 1_735_689_600.5,
    update_time: 1_735_689_700.25,
    conversation_id: CHATGPT_CONVERSATION,
    default_model_slug: 'gpt-5',
    current_node: 'm9',
    mapping: {
      root: node('root', null, null),
      m1: node(
        'm1',
        'root',
        said('m1', 'system', text(''), { metadata: { is_visually_hidden_from_conversation: true } }),
      ),
      m2: node(
        'm2',
        'm1',
        said('m2', 'user', {
          content_type: 'user_editable_context',
          user_profile: 'Likes trains',
          user_instructions: '',
        }),
      ),
      m3: node(
        'm3',
        'm2',
        said('m3', 'system', { content_type: 'model_editable_context', model_set_context: '1. Has a dog' }),
      ),
      m4: node(
        'm4',
        'm3',
        said('m4', 'user', {
          content_type: 'multimodal_text',
          parts: [
            { content_type: 'image_asset_pointer', asset_pointer: 'file-service://x' },
            'Plan a trip to Porto',
          ],
        }),
      ),
      m4b: node('m4b', 'm3', said('m5', 'user', text('An edit that was left'))),
      m5: node(
        'm5',
        'm4',
        said('m5', 'assistant', {
          content_type: 'thoughts',
          thoughts: [{ summary: 'Planning', content: 'Trains first.' }],
        }),
      ),
      m6: node(
        'm6',
        'm5',
        said(
          'm6',
          'assistant',
          { content_type: 'code', language: 'python', text: 'print(1)' },
          { recipient: 'python' },
        ),
      ),
      m7: node(
        'm7',
        'm6',
        said(
          'm7',
          'tool',
          { content_type: 'execution_output', text: '1' },
          { author: { role: 'tool', name: 'python', metadata: {} } },
        ),
      ),
      m8: node(
        'm8',
        'm7',
        said('m8', 'assistant', { content_type: 'reasoning_recap', content: 'Thought for 3s' }),
      ),
      m9: node(
        'm9',
        'm8',
        said('m9', 'assistant', text('Take the train at nine.'), {
          metadata: { model_slug: 'gpt-5-thinking' },
        }),
      ),
    },
  }
}

export function makeChatGpt(
  root: string,
  conversations: readonly object[] = [chatGptConversation()],
): string {
  writeText(join(root, 'conversations.json'), JSON.stringify(conversations))
  writeText(join(root, 'user.json'), '{}')
  return root
}
