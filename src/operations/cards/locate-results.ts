import { access } from 'node:fs/promises'
import type { TaskId } from '../../core/ids.ts'
import { isElsewhere, machineName } from '../../core/gates/workspace-gates.ts'
import { STATUSES } from '../../core/vocabulary.ts'
import { hostIfSupported } from '../../processes/identity.ts'
import type { Store, TaskView } from '../../storage/store.ts'
import { listSnapshots } from '../../workspaces/files/snapshots.ts'
import { workspacePath } from '../../workspaces/workspace.ts'
import { cardNow } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'
import type { BoardContext, OutputOf, SchemaKit } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'
import { isWorkHere } from '../workspaces/worktree-card.ts'

/** The maximum number of parents, and of children, to list. A card may have thousands of children. */
const RELATIVES = 20

const schemas = ({ z, cardRef, count, snapshotView, taskId }: SchemaKit) => {
  const relatives = z.array(z.object({ id: taskId, title: z.string(), status: z.enum(STATUSES) })).readonly()
  return {
    input: z.object({ task: cardRef }),
    output: z.object({
      id: taskId,
      /** The folder of the card. Null means that the folder does not exist. */
      folder: z.string().nullable(),
      /** The name of the machine that has the files. Null means that this machine has them. */
      elsewhere: z.string().nullable(),
      /** Whether this machine has the repository and the work of a worktree card. */
      isWorkHere: z.boolean(),
      /** The newest snapshot of a removed workspace, followed by the number of snapshots. */
      snapshot: snapshotView.nullable(),
      snapshots: count,
      /** The first few parents and children. */
      parents: relatives,
      children: relatives,
    }),
  }
}

export type Results = OutputOf<typeof schemas>

export const locateResults = defineOperation({
  name: 'locate-results',
  kind: 'query',
  actor: 'person',
  scope: 'card',
  summary: 'Find the folder, the snapshots and the related cards of a card.',
  schemas,
  run: async (context, { task: typed }) => {
    const { store, options } = context
    const task = await cardNow(store, await resolveTask(store, typed))
    const snapshots = await listSnapshots({ home: options.home, board: task.board, task: task.id })
    const isAway = isElsewhere(task.workspace, hostIfSupported()?.machine.id ?? null)
    return {
      id: task.id,
      folder: isAway ? null : await folderOf(context, task),
      elsewhere: isAway ? machineName(task.workspace) : null,
      isWorkHere: await hasWorkHere(store, task),
      snapshot: snapshots.at(-1) ?? null,
      snapshots: snapshots.length,
      parents: await relativesOf(store, task.parents),
      children: await relativesOf(store, task.children),
    }
  },
})

async function folderOf({ options: { home } }: BoardContext, task: TaskView): Promise<string | null> {
  const { workspace, board, id } = task
  const path = workspacePath(workspace, { home, board, task: id })
  return path !== null && (await exists(path)) ? path : null
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

async function hasWorkHere(store: Store, task: TaskView): Promise<boolean> {
  const { repo } = task.workspace
  return repo !== null && (await exists(repo)) && isWorkHere(store, task, await store.runs(task.board, task.id))
}

/** The first cards of a list of ids, in its order. Cards in the trash are left out. */
async function relativesOf(store: Store, ids: readonly TaskId[]): Promise<Results['parents']> {
  const found = new Map((await store.tasksById(ids.slice(0, RELATIVES))).map((task) => [task.id, task]))
  return ids.flatMap((id) => {
    const task = found.get(id)
    return task === undefined || task.deletedAt !== null ? [] : [{ id, title: task.title, status: task.status }]
  })
}
