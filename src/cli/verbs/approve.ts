import { BoardError } from '../../core/errors.ts'
import { approveCommands } from '../../operations/approve-commands.ts'
import { approveTask } from '../../operations/approve-task.ts'
import type { Call } from '../call.ts'
import { cardIds, text, toggle } from '../flags.ts'
import { answerMany, oneByOne } from '../many.ts'
import { approvedCommands } from '../render/approved-commands.ts'
import { requireOne, steer } from '../steer.ts'
import { defineVerb } from '../verb.ts'

export const verb = defineVerb({
  group: 'steer',
  operation: approveTask,
  args: { ids: cardIds },
  flags: {
    summary: text(),
    force: text('<why>'),
    commands: toggle('let the commands run that an agent wrote on it'),
  },
  examples: ['muster approve t_4k2', 'muster approve t_4k2 --commands'],
  run: async (call, { ids, summary, force, commands }) => {
    if (commands && (summary !== undefined || force !== undefined))
      throw new BoardError('invalid_input', '--commands stands alone: approving a review is another matter.')
    if (commands) return letCommandsRun(call, ids)
    requireOne(ids, summary, 'summary')
    const said = { summary: summary ?? null, force: force ?? null }
    return steer(call, ids, 'Approved', (task, onPending) => call.ask(approveTask, { task, ...said }, onPending))
  },
})

/** Each row, and each text, holds exactly what may run now. */
async function letCommandsRun(call: Call, ids: readonly string[]): Promise<void> {
  const approved = new Map<string, Awaited<ReturnType<typeof approveCommands.run>>>()
  const answers = await oneByOne(ids, async (task) => {
    const answer = await call.ask(approveCommands, { task })
    approved.set(answer.task.id, answer)
    return answer.task
  })
  const rows = answers.map((row) => {
    const { commands, hash } = approved.get(row.id) ?? {}
    return row.ok ? { ...row, commands, hash } : row
  })
  answerMany(call, rows, ({ id }) => {
    const answer = approved.get(id)
    return answer === undefined ? id : approvedCommands(answer)
  })
}
