import { previewPromote } from '../../../operations/cards/preview-promote.ts'
import { promoteTask } from '../../../operations/cards/promote-task.ts'
import type { Invocation } from '../../invocation.ts'
import { idsThenReason, toggle } from '../../flags.ts'
import { answerMany, oneByOne } from '../../many.ts'
import { answerFlags, changeCards, targetsOf } from '../../change-cards.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'steer',
  operation: promoteTask,
  args: { cards: idsThenReason },
  flags: {
    force: toggle('start even if a parent is unfinished (the card no longer waits for it)'),
    dryRun: toggle('show the effect, change nothing'),
    ...answerFlags,
  },
  examples: ['muster promote t_4k2', 'muster promote t_4k2 --force it does not need the other one'],
  run: async (cli, { force, dryRun, ...given }) => {
    const { ids, reason } = targetsOf(given)
    if (dryRun) await preview(cli, ids, { reason, force })
    else
      await changeCards(cli, ids, 'Promoted', (task, onPending) =>
        cli.ask(promoteTask, { task, reason, force }, onPending),
      )
  },
})

async function preview(
  cli: Invocation,
  ids: readonly string[],
  how: { readonly reason: string | null; readonly force: boolean },
): Promise<void> {
  const waived = new Map<string, readonly string[]>()
  const answers = await oneByOne(ids, async (typed) => {
    const { task, waives } = await cli.ask(previewPromote, { task: typed, ...how })
    waived.set(task.id, waives)
    return task
  })
  const rows = answers.map((row) => ({ ...row, dryRun: true, ...(row.ok ? { waives: waived.get(row.id) ?? [] } : {}) }))
  answerMany(cli, rows, ({ id, status }) => {
    const waives = waived.get(id) ?? []
    return `Would promote ${id}  (now ${status})${waives.length === 0 ? '' : `, without waiting for ${waives.join(', ')}`}`
  })
}
