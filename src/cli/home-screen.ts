/**
 * The output of `muster` without a command, on a terminal: a summary of all boards, or a welcome before the first use.
 */
import { BoardError } from '../core/errors.ts'
import { readGlance } from '../operations/boards/at-a-glance.ts'
import { SHOWN as SHOWN_STATUSES, showColumns } from '../operations/boards/show-columns.ts'
import type { Invocation } from './invocation.ts'
import type { Terminal } from './output/terminal.ts'
import { ITEMS_COUNTED, glanceText } from './render/glance.ts'

export async function homeScreen(cli: Invocation): Promise<void> {
  const { terminal } = cli.world
  if (terminal === null) return
  if (cli.remote !== null) return showRemoteBoard(cli, terminal)
  try {
    const glance = await readGlance(await cli.board('read'), { items: ITEMS_COUNTED, finished: 3 })
    cli.answer(glance, glanceText(glance, terminal))
  } catch (error) {
    if (!isFirstUse(error)) throw error
    cli.answer({}, WELCOME.join('\n'))
  }
}

/** Shows one board of a server, because a server has no summary for this screen. */
async function showRemoteBoard(cli: Invocation, terminal: Terminal): Promise<void> {
  const view = await cli.ask(showColumns, { limit: SHOWN, all: false, statuses: SHOWN_STATUSES })
  const { columnsText } = await import('./render/columns.ts')
  cli.answer(view, columnsText(view, { terminal, limit: SHOWN }))
}

/** The number of cards per column. */
const SHOWN = 8

/**
 * Whether the user runs Muster for the first time. If a backup exists, the store was lost instead, and the error names
 * the backup.
 */
const isFirstUse = (error: unknown): boolean =>
  error instanceof BoardError && error.code === 'store_missing' && error.details['hasBackup'] === false

const WELCOME = [
  'Welcome to Muster, a kanban board that runs AI agents.',
  'Set up:      muster init',
  'First card:  muster create "Say hello" --assignee shell --body "echo hello"',
  'Run it:      muster up',
  'Learn more:  muster help',
]
