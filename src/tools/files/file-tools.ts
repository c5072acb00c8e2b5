import type { Tool } from '../tool.ts'
import type { ChangeOptions } from './change.ts'
import { editTool } from './edit.ts'
import { globTool } from './glob.ts'
import { type GrepOptions, grepTool } from './grep/grep.ts'
import { patchTool } from './patch/patch.ts'
import { readTool } from './read.ts'
import { writeTool } from './write.ts'

export interface FileToolOptions extends ChangeOptions, Pick<GrepOptions, 'maySearch'> {}

/** Reading, changing and finding files, for one agent in one conversation. */
export function fileTools(options: FileToolOptions): Tool[] {
  const { workspace, maySearch } = options
  return [
    readTool(options),
    writeTool(options),
    editTool(options),
    patchTool(options),
    globTool(workspace),
    grepTool({ workspace, maySearch }),
  ]
}
