import { expect, test } from 'vitest'
import { findTools } from './find-tools.ts'
import { toolName } from './offered-tool.ts'

const tool = (server: string, remote: string, description: string, hint = '') => ({
  server,
  remote,
  hint,
  description,
  name: toolName(server, remote),
})

const TOOLS = [
  tool('github', 'create_issue', 'Opens a new issue in a repository.'),
  tool('github', 'listPullRequests', 'Lists pull requests, open ones first.'),
  tool('github', 'search', 'Looks for code, issues and people.'),
  tool('calendar', 'add_event', 'Puts a meeting into the calendar.', 'appointments'),
  tool('notes', 'append', 'Adds text to a note. Not for issues.'),
  tool('weather', 'forecast', 'The weather of the next days. 天气预报'),
]

test.each([
  ['create an issue', 'create_issue'],
  ['pull request', 'listPullRequests'],
  ['github search', 'search'],
  ['appointment', 'add_event'],
  ['meetings', 'add_event'],
  ['天气', 'forecast'],
  ['mcp__notes__append', 'append'],
  ['the issues', 'create_issue'],
])('%s means %s', (query, expected) => {
  expect(findTools(TOOLS, query, 5)[0]?.remote).toBe(expected)
})

test('what fits nothing finds nothing, and no more is found than is wanted', () => {
  expect(findTools(TOOLS, 'kubernetes', 5)).toEqual([])
  expect(findTools(TOOLS, 'github', 2)).toHaveLength(2)
  expect(findTools([], 'github', 2)).toEqual([])
})
