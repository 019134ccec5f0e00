import type { CardInput } from '../../core/input/card-input.ts'
import { BoardError } from '../../core/errors.ts'
import type { TaskView } from '../../storage/store.ts'
import { thisHost } from '../../processes/identity.ts'
import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'
import type { BoardContext } from '../shared/operation.ts'
import { requireSkills } from '../skills/require-skills.ts'
import { resolveTask } from '../shared/resolve-task.ts'
import { requireGoalAgentOf } from './require-goal-agent.ts'

/** Edits a card in one transaction. Changes that would need two transactions are refused. */
export const editTask = defineOperation({
  name: 'edit',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Change the fields of a card, correct its result, or reset its state.',
  // In the input, a missing field keeps its value, and null empties the field.
  schemas: ({ z, someEditShape, cardRef, text, json, taskView }) => ({
    input: z.object({
      ...someEditShape,
      task: cardRef,
      result: text.exactOptional().describe('The result of a finished card'),
      summary: text.exactOptional().describe('The summary of a finished card'),
      metadata: json.exactOptional().describe('A JSON object to keep with a finished card'),
      resetFailures: z.boolean().default(false).describe('Reset the failure count of the card'),
      freshWorkspace: z
        .boolean()
        .default(false)
        .describe('Start in an empty workspace; the files of the card stay on the other machine'),
      clearClaim: z.boolean().default(false).describe('Stop the run of the card, as reclaim does'),
    }),
    output: taskView,
  }),
  run: async (context, given): Promise<TaskView> => {
    const { task, clearClaim, resetFailures, freshWorkspace, result, summary, metadata, ...set } = given
    const edits = Object.keys(set).length > 0
    const amends = result !== undefined || summary !== undefined || metadata !== undefined
    if (!edits && !amends && !clearClaim && !resetFailures && !freshWorkspace)
      throw refused('Nothing to change. To list the fields: muster edit --help')
    if (amends && (edits || clearClaim || resetFailures || freshWorkspace))
      throw refused('Give --result, --summary and --metadata alone. Make the other changes in a second edit.')
    if (amends) {
      const input = { result: result ?? null, summary: summary ?? null, metadata: metadata ?? null }
      return actOnCard(context, task, { verb: 'amend', input, participle: 'amended' })
    }
    const freshFrom = freshWorkspace ? thisHost({ home: context.options.home }).machine.id : null
    if (set.skills) await checkSkills(context, task, { skills: set.skills, workspace: set.workspace })
    await requireGoalAgentOf(context, task, { goal: set.goal })
    return actOnCard(context, task, {
      verb: 'edit',
      input: { set, resetFailures, clearClaim, freshFrom },
      participle: clearClaim ? 'reclaimed' : 'edited',
      applied: (_, run) => !clearClaim || run.outcome === 'reclaimed',
    })
  },
})

/** Checks the skills in the workspace that the card has after the edit. */
export async function checkSkills(
  context: BoardContext,
  typed: string,
  { skills, workspace }: { skills: readonly string[]; workspace: CardInput['workspace'] | undefined },
): Promise<void> {
  const { board, id } = await resolveTask(context.store, typed)
  const card = workspace === undefined ? await context.store.task(board, id) : { workspace }
  if (card !== null) await requireSkills({ ...context, board }, skills, card.workspace)
}

const refused = (message: string): BoardError => new BoardError('invalid_input', message)
