import { BoardError } from '../../core/errors.ts'
import { approveCommands } from '../../operations/approve-commands.ts'
import { approveTask } from '../../operations/approve-task.ts'
import { previewCommands } from '../../operations/preview-commands.ts'
import type { Call } from '../call.ts'
import { cardIds, text, toggle } from '../flags.ts'
import { answerMany, oneByOne } from '../many.ts'
import { commandsToRun } from '../render/commands-to-run.ts'
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
    hash: text('<sha256>', 'only the commands that were shown with this sha256; with --commands'),
    dryRun: toggle('only show the commands, with their sha256; with --commands'),
  },
  examples: ['muster approve t_4k2', 'muster approve t_4k2 --commands --dry-run', 'muster approve t_4k2 --commands'],
  run: async (call, { ids, summary, force, commands, hash, dryRun }) => {
    if (commands && (summary !== undefined || force !== undefined))
      throw new BoardError('invalid_input', '--commands stands alone: approving a review is another matter.')
    if (!commands && (hash !== undefined || dryRun))
      throw new BoardError(
        'invalid_input',
        `${dryRun ? '--dry-run' : '--hash'} is about commands: give --commands too.`,
      )
    if (commands) {
      requireOne(ids, hash, 'sha256')
      return letCommandsRun(call, ids, { hash: hash ?? null, dryRun })
    }
    requireOne(ids, summary, 'summary')
    const said = { summary: summary ?? null, force: force ?? null }
    return steer(call, ids, 'Approved', (task, onPending) => call.ask(approveTask, { task, ...said }, onPending))
  },
})

/** Each row, and each text, holds exactly what may run now, or what would be approved. */
async function letCommandsRun(
  call: Call,
  ids: readonly string[],
  { hash: seen, dryRun }: { readonly hash: string | null; readonly dryRun: boolean },
): Promise<void> {
  const read = new Map<string, Awaited<ReturnType<typeof approveCommands.run>>>()
  const answers = await oneByOne(ids, async (task) => {
    const answer = await (dryRun
      ? call.ask(previewCommands, { task })
      : call.ask(approveCommands, { task, hash: seen }))
    read.set(answer.task.id, answer)
    return answer.task
  })
  const rows = answers.map((row) => {
    const { commands, hash } = read.get(row.id) ?? {}
    return row.ok ? { ...row, commands, hash, ...(dryRun ? { dryRun } : {}) } : row
  })
  answerMany(call, rows, ({ id }) => {
    const answer = read.get(id)
    return answer === undefined ? id : commandsToRun(answer, dryRun)
  })
}
