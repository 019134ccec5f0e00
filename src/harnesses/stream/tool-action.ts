/** Finds out what a tool does, by the names that the CLIs give to their tools. */
import { TOOL_ACTIONS } from './row-kinds.ts'
import type { ToolAction } from './row-kinds.ts'
import { toolName } from './tool-name.ts'

const NAMES: Readonly<Partial<Record<ToolAction, string>>> = {
  run: 'bash shell run_shell_command terminal execute exec exec_command run_command local_shell powershell',
  read: 'read read_file read_many_files view cat open_file notebookread view_image',
  edit: `edit write multiedit notebookedit replace write_file edit_file create_file patch apply_patch str_replace
    str_replace_editor delete move`,
  search: 'grep glob ls list list_directory search search_file_content find find_files toolsearch codebase_search',
  web: 'webfetch websearch web_fetch google_web_search fetch web_search',
  report: 'kanban_complete kanban_block kanban_request_review kanban_request_changes',
  plan: 'todowrite todoread write_todos update_plan taskcreate taskupdate tasklist',
}

const ACTIONS = new Map(
  TOOL_ACTIONS.flatMap((action) => (NAMES[action] ?? '').split(/\s+/).map((name) => [name, action] as const)),
)

export function toolAction(tool: string): ToolAction {
  const name = toolName(tool).toLowerCase()
  return ACTIONS.get(name) ?? (name.startsWith('kanban_') ? 'board' : 'other')
}
