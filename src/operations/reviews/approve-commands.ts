import { unwrap } from '../../core/command.ts'
import { BoardError } from '../../core/errors.ts'
import { cardNow } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'
import { readCommands } from './read-commands.ts'
import { resolveTask } from '../shared/resolve-task.ts'

/**
 * Approves the commands that the person has seen. The caller sends the hash of these commands. If the card has changed
 * since the person saw them, the approval is refused.
 */
export const approveCommands = defineOperation({
  name: 'approve-commands',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Approve the commands that an agent wrote on a card.',
  schemas: ({ z, cardRef, cardCommands }) => ({
    input: z.object({
      task: cardRef,
      hash: z
        .string()
        .trim()
        .toLowerCase()
        .regex(/^[0-9a-f]{64}$/, 'must be the sha256 that was shown: 64 hexadecimal digits')
        .nullable()
        .default(null)
        .describe(
          'Approve the commands only if they have this sha256, which --dry-run shows; null: approve the current commands',
        ),
    }),
    output: cardCommands,
  }),
  run: async (context, { task: typed, hash: seen }) => {
    const { store, actor } = context
    const address = await resolveTask(store, typed)
    const { task, commands, hash } = await readCommands(context, address)
    if (seen !== null && seen !== hash) throw changed(task.id, hash)
    const { body, checks, assignee, reviewer, workspace } = task
    const { kind, path, repo } = workspace
    const agent = commands.agent?.name ?? null
    const shown = { body, checks, assignee, reviewer, workspace: { kind, path, repo }, agent }
    const input = { task: task.id, shown, hash, asScript: commands.body !== null }
    unwrap(await store.decide({ verb: 'approve_commands', board: address.board, actor, input }))
    return { task: await cardNow(store, address), commands, hash }
  },
})

const changed = (id: string, hash: string): BoardError =>
  new BoardError(
    'commands_changed',
    `The commands of ${id} have changed since they were shown. To see them: muster approve ${id} --commands --dry-run`,
    { details: { id, hash } },
  )
