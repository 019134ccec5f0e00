import { BoardError } from '../../../core/errors.ts'
import { approveCommands } from '../../../operations/reviews/approve-commands.ts'
import { approveTask } from '../../../operations/reviews/approve-task.ts'
import { previewCommands } from '../../../operations/reviews/preview-commands.ts'
import type { Invocation } from '../../invocation.ts'
import { cardIds, text, toggle } from '../../flags.ts'
import { answerMany, oneByOne } from '../../many.ts'
import { commandsToRun } from '../../render/commands-to-run.ts'
import { isForPeople } from '../../print-events.ts'
import { requireOne, steer } from '../../steer.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'steer',
  operation: approveTask,
  args: { ids: cardIds },
  flags: {
    summary: text(),
    force: text('<why>'),
    commands: toggle('let the commands run that an agent wrote on it'),
    hash: text('<sha256>', 'only the commands that were shown with this sha256; with --commands'),
    dryRun: toggle('only show the commands, with their sha256; with --commands'),
    yes: toggle('do not ask, at a terminal; with --commands'),
  },
  examples: ['muster approve t_4k2', 'muster approve t_4k2 --commands --dry-run', 'muster approve t_4k2 --commands'],
  run: async (cli, { ids, summary, force, commands, hash, dryRun, yes }) => {
    if (commands && (summary !== undefined || force !== undefined))
      throw new BoardError('invalid_input', '--commands stands alone: approving a review is another matter.')
    if (!commands && (hash !== undefined || dryRun || yes)) {
      const flag = dryRun ? '--dry-run' : yes ? '--yes' : '--hash'
      throw new BoardError('invalid_input', `${flag} is about commands: give --commands too.`)
    }
    if (commands) {
      requireOne(ids, hash, 'sha256')
      const asks = !yes && !dryRun && hash === undefined && isForPeople(cli)
      return letCommandsRun(cli, ids, { hash: hash ?? null, dryRun, asks })
    }
    requireOne(ids, summary, 'summary')
    const said = { summary: summary ?? null, force: force ?? null }
    return steer(cli, ids, 'Approved', (task, onPending) => cli.ask(approveTask, { task, ...said }, onPending))
  },
})

interface How {
  readonly hash: string | null
  readonly dryRun: boolean
  /** Whether a person is shown the commands first, and says yes or no. */
  readonly asks: boolean
}

/** Each row, and each text, holds exactly what may run now, or what would be approved. */
async function letCommandsRun(
  cli: Invocation,
  ids: readonly string[],
  { hash: given, dryRun, asks }: How,
): Promise<void> {
  const read = new Map<string, Awaited<ReturnType<typeof approveCommands.run>>>()
  const shown = new Set<string>()
  const answers = await oneByOne(ids, async (task) => {
    const seen = asks ? await confirmed(cli, task) : given
    const answer = await (dryRun ? cli.ask(previewCommands, { task }) : cli.ask(approveCommands, { task, hash: seen }))
    if (asks && seen !== null) shown.add(answer.task.id)
    read.set(answer.task.id, answer)
    return answer.task
  })
  const rows = answers.map((row) => {
    const { commands, hash } = read.get(row.id) ?? {}
    return row.ok ? { ...row, commands, hash, ...(dryRun ? { dryRun } : {}) } : row
  })
  answerMany(cli, rows, ({ id }) => {
    const answer = read.get(id)
    if (answer === undefined) return id
    return shown.has(id) ? `Approved the commands of ${id}` : commandsToRun(answer, dryRun)
  })
}

/** The sha256 of what a person has read and lets run; null where nobody could be asked. */
async function confirmed(cli: Invocation, typed: string): Promise<string | null> {
  const { confirm, stdout } = cli.world
  if (confirm === undefined) return null
  const answer = await cli.ask(previewCommands, { task: typed })
  const { id } = answer.task
  stdout.write(`${commandsToRun(answer, true)}\n`)
  const lets = await confirm('Let these run? [y/N] ')
  if (lets === false)
    throw new BoardError('not_allowed', `The commands of ${id} were not approved.`, { details: { id } })
  return lets === null ? null : answer.hash
}
