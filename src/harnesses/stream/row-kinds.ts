/**
 * The kinds of values in the rows of a transcript. They have their own file, so that schemas do not load the code that
 * builds rows.
 */
export const CALL_STATES = ['open', 'ok', 'failed', 'cut'] as const

/** The parts of a row that can be long. */
export const ROW_PARTS = ['text', 'input', 'output'] as const
export type RowPart = (typeof ROW_PARTS)[number]

export const TOOL_ACTIONS = ['run', 'read', 'edit', 'search', 'web', 'report', 'board', 'plan', 'other'] as const
export type ToolAction = (typeof TOOL_ACTIONS)[number]
