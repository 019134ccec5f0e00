import { BoardError } from '../../../core/errors.ts'
import { approveCommands } from '../../../operations/reviews/approve-commands.ts'
import { approveTask } from '../../../operations/reviews/approve-task.ts'
import { previewCommands } from '../../../operations/reviews/preview-commands.ts'
import type { Invocation } from '../../invocation.ts'
import { cardIds, text, toggle } from '../../flags.ts'
import { answerMany, oneByOne } from '../../many.ts'
import { commandsToRun } from '../../render/commands-to-run.ts'
import { isForPeople } from '../../output/print-events.ts'
import { reasonToSkip, requireOne, skipChecksFlags, changeCards } from '../../change-cards.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'steer',
  operation: approveTask,
  summary: 'Approve a card in review and mark it done; with --commands, approve its commands.',
  args: { ids: cardIds },
  flags: {
    summary: text(),
    ...skipChecksFlags,
    commands: toggle('approve the commands that an agent wrote'),
    hash: text('<sha256>', 'approve only if the commands have this sha256; with --commands'),
    dryRun: toggle('show the commands and their sha256; with --commands'),
    yes: toggle('do not ask for confirmation; with --commands'),
  },
  examples: ['muster approve t_4k2', 'muster approve t_4k2 --commands --dry-run', 'muster approve t_4k2 --commands'],
  run: async (cli, { ids, summary, force, reason, commands, hash, dryRun, yes }) => {
    if (commands && (summary !== undefined || force !== null || reason !== undefined))
      throw new BoardError(
        'invalid_input',
        'Use --commands without --summary, --force and --reason: those approve a review.',
      )
    if (!commands && (hash !== undefined || dryRun || yes)) {
      const flag = dryRun ? '--dry-run' : yes ? '--yes' : '--hash'
      throw new BoardError('invalid_input', `${flag} needs --commands.`)
    }
    if (commands) {
      requireOne(ids, hash, 'sha256')
      const asks = !yes && !dryRun && hash === undefined && isForPeople(cli)
      return approveEach(cli, ids, { hash: hash ?? null, dryRun, asks })
    }
    requireOne(ids, summary, 'summary')
    const verdict = { summary: summary ?? null, force: reasonToSkip(ids, { force, reason }) }
    return changeCards(cli, ids, 'Approved', (task, onPending) => cli.ask(approveTask, { task, ...verdict }, onPending))
  },
})

interface CommandApproval {
  readonly hash: string | null
  readonly dryRun: boolean
  /** Whether to show the commands and ask for confirmation first. */
  readonly asks: boolean
}

/** Prints exactly the commands that are approved, or that would be approved. */
async function approveEach(
  cli: Invocation,
  ids: readonly string[],
  { hash: given, dryRun, asks }: CommandApproval,
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
  if (dryRun && read.size > 0) cli.notice('Nothing was approved. To approve the commands, leave out --dry-run.')
}

/** The SHA-256 of the commands that the person confirmed. This is null without a terminal. */
async function confirmed(cli: Invocation, typed: string): Promise<string | null> {
  const { confirm, stdout } = cli.world
  if (confirm === undefined) return null
  const answer = await cli.ask(previewCommands, { task: typed })
  const { id } = answer.task
  stdout.write(`${commandsToRun(answer, true)}\n`)
  const approved = await confirm('Approve? [y/N] ')
  if (approved === false)
    throw new BoardError('not_allowed', `The commands of ${id} were not approved.`, { details: { id } })
  return approved === null ? null : answer.hash
}
