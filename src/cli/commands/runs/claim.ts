import { BoardError } from '../../../core/errors.ts'
import type { Reason } from '../../../core/reasons/reason.ts'
import { claimTask } from '../../../operations/runs/claim-task.ts'
import { oneLine } from '../../output/escape.ts'
import { cardId } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'work',
  operation: claimTask,
  args: { id: cardId },
  examples: ['muster claim t_4k2'],
  run: async (cli, { id }) => {
    const claimed = await cli.ask(claimTask, { task: id }).catch(explainRefusal)
    const { task, run } = claimed
    const where = task.workspace.path === null ? '' : `\nworkspace  ${oneLine(task.workspace.path)}`
    cli.answer(claimed, `Claimed ${task.id} as ${run.id}  (attempt ${run.attempt})${where}`)
    cli.notice(`When you are done: muster complete ${task.id}. To give it back: muster reclaim ${task.id}`)
  },
})

/** Adds a sentence to the error of a refused claim, because the error has the reason only as data. */
async function explainRefusal(error: unknown): Promise<never> {
  const reason = error instanceof BoardError ? (error.details['reason'] as Reason | undefined) : undefined
  if (!(error instanceof BoardError) || reason === undefined) throw error
  const { reasonSentence: sentence, wayOut } = await import('../../render/reason-text.ts')
  const message = `Card ${String(error.details['id'])} cannot be claimed. ${sentence(reason)} ${wayOut(reason)}`
  throw new BoardError(error.code, message, { details: error.details, cause: error })
}
