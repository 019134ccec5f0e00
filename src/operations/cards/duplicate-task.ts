import { isAgentName } from '../../core/actor.ts'
import { CREATE_FIELDS } from '../../core/card-fields.ts'
import type { CreateField } from '../../core/card-fields.ts'
import { unwrap } from '../../core/command.ts'
import { goalOf } from '../../core/goal.ts'
import { ownBranch } from '../../core/gates/workspace-gates.ts'
import { isInTriage } from '../../core/status.ts'
import type { CardInput } from '../../core/input/card-input.ts'
import type { Store, TaskView } from '../../storage/store.ts'
import { newTaskId } from '../../util/mint.ts'
import { cardNow } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'

export const duplicateTask = defineOperation({
  name: 'duplicate',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Create a card with the same fields and parents, without the history.',
  schemas: ({ z, cardRef, createShape, taskView }) => ({
    input: z.object({
      task: cardRef,
      title: createShape.title.nullable().default(null).describe('The title of the new card (default: the same title)'),
    }),
    output: taskView,
  }),
  run: async ({ store, actor }, { task: typed, title }) => {
    const original = await cardNow(store, await resolveTask(store, typed))
    const { board } = original
    const card = {
      ...copied(original),
      id: newTaskId(),
      title: title ?? original.title,
      parents: await parentsOnBoard(store, original),
      scheduledAt: await laterTime(store, original),
      commandsApproved: original.commandsApproved && !(await isWrittenByAgent(store, original)),
    }
    unwrap(await store.decide({ verb: 'create', board, actor, input: { cards: [card] } }))
    return cardNow(store, { board, id: card.id })
  },
})

/**
 * Fields that are not copied. A card with the same idempotency key would count as the original, and a hold concerns
 * only the original.
 */
const NOT_COPIED: readonly CreateField[] = ['idempotencyKey', 'held']

function copied(original: TaskView): CardInput {
  const { kind, path, repo } = original.workspace
  const fields = CREATE_FIELDS.filter((name) => !NOT_COPIED.includes(name)).map((name) => [name, original[name]])
  // The cast is safe, because each field has its value.
  const card = Object.fromEntries(fields) as Pick<TaskView, CreateField>
  return {
    ...card,
    id: original.id,
    parents: [],
    goal: goalOf(original),
    // The copy of a card in triage is in triage too, so that it does not start.
    triage: isInTriage(original.status),
    blocked: false,
    held: false,
    idempotencyKey: null,
    // If a run chose the folder or the branch, they belong to the original card.
    workspace: { kind, path: kind === 'dir' ? path : null, repo: kind === 'worktree' ? repo : null },
    branch: original.branch === ownBranch(original.id) ? null : original.branch,
  }
}

async function parentsOnBoard(store: Store, { parents }: TaskView): Promise<CardInput['parents']> {
  const found = await store.tasksById(parents)
  return found.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id)
}

/** Returns the scheduled time if it is in the future. A past time would only delay the copy until the next pass. */
async function laterTime(store: Store, { scheduledAt }: TaskView): Promise<number | null> {
  return scheduledAt !== null && scheduledAt > (await store.now()) ? scheduledAt : null
}

/**
 * Whether an agent wrote the text of the card. The copy of such a card waits for approval, because the person who
 * copies the card might not have read the text.
 */
async function isWrittenByAgent(store: Store, { board, id, createdBy, createdByRun }: TaskView): Promise<boolean> {
  return createdByRun !== null || isAgentName((await store.bodyWriter(board, id)) ?? createdBy)
}
