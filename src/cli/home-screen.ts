/** `muster` without a command, on a terminal: all boards at a glance, or a welcome before the first use. */
import { BoardError } from '../core/errors.ts'
import { readGlance } from '../operations/boards/at-a-glance.ts'
import type { Invocation } from './invocation.ts'
import { ITEMS_COUNTED, glanceText } from './render/glance.ts'

export async function homeScreen(cli: Invocation): Promise<void> {
  const { terminal } = cli.world
  if (terminal === null) return
  try {
    const glance = await readGlance(await cli.board('read'), { items: ITEMS_COUNTED, finished: 3 })
    cli.answer(glance, glanceText(glance, terminal))
  } catch (error) {
    if (!isFirstUse(error)) throw error
    cli.answer({}, WELCOME.join('\n'))
  }
}

/** If a backup exists, the missing store was lost. That is not a first use, and the error then names the backup. */
const isFirstUse = (error: unknown): boolean =>
  error instanceof BoardError && error.code === 'store_missing' && error.details['hasBackup'] === false

const WELCOME = [
  'Welcome to Muster, a kanban board that runs AI agents.',
  'Set up:      muster init',
  'First card:  muster create "Say hello" --assignee shell --body "echo hello"',
  'Run it:      muster up',
  'Learn more:  muster help',
]
