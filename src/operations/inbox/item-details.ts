/** Reads the facts that help a person to decide about an item of the inbox. */
import os from 'node:os'
import { isElsewhere } from '../../core/gates/workspace-gates.ts'
import { unlandedChanges } from '../../core/gates/unlanded-work.ts'
import type { CardInboxKind } from '../../core/inbox.ts'
import type { TaskId } from '../../core/ids.ts'
import { accepts } from '../../core/status.ts'
import { cut } from '../../core/text.ts'
import type { Task } from '../../core/task.ts'
import { hostIfSupported } from '../../processes/identity.ts'
import type { CardWork } from '../../storage/store.ts'
import { readLastSteps } from '../../supervisor/turns/last-output.ts'
import { viewWork } from '../boards/view-cards.ts'
import { readCommands } from '../reviews/read-commands.ts'
import type { BoardContext } from '../shared/operation.ts'
import type { InboxItem } from './views.ts'

export type ItemDetails = Pick<
  InboxItem,
  'work' | 'spent' | 'waitedFor' | 'commands' | 'landing' | 'steps' | 'logIn' | 'agents'
>

export const NO_DETAILS: ItemDetails = {
  work: null,
  spent: null,
  waitedFor: 0,
  commands: null,
  landing: null,
  steps: [],
  logIn: null,
  agents: [],
}

const STEPS = 6

type Context = Pick<BoardContext, 'store' | 'options'>

interface Item {
  readonly kind: CardInboxKind
  readonly task: Task
}

/**
 * Reads the details of some items. If `steps` is true, the end of each log is read too, which takes longer than
 * everything else.
 */
export async function detailsOf(
  context: Context,
  items: readonly Item[],
  { steps }: { readonly steps: boolean },
): Promise<ReadonlyMap<TaskId, ItemDetails>> {
  const { work, progress, spent } = await context.store.cardHistories(items.map(({ task }) => task.id))
  const details = items.map(async ({ kind, task }) => {
    const last = work.find(({ taskId }) => taskId === task.id)
    const children = progress.find(({ id }) => id === task.id)
    const { id: _id, ...all } = spent.find(({ id }) => id === task.id) ?? { id: null }
    const found: ItemDetails = {
      work: last === undefined ? null : viewWork(last),
      spent: 'attempts' in all ? all : null,
      waitedFor: children === undefined ? 0 : children.total - children.done,
      commands: kind === 'approval' ? await commandsToApprove(context, task) : null,
      landing: landingOf(task, last),
      steps: steps ? await lastSteps(last) : [],
      logIn: null,
      agents: [],
    }
    return [task.id, found] as const
  })
  return new Map(await Promise.all(details))
}

/** The maximum length of a body in an item. The page of the card has the whole body. */
const BODY_LENGTH = 20_000

async function commandsToApprove(context: Context, task: Task): Promise<NonNullable<ItemDetails['commands']>> {
  const { commands, hash } = await readCommands(context, task)
  const { body } = commands
  const writer = body === null ? null : await context.store.bodyWriter(task.board, task.id)
  return {
    ...commands,
    body: body === null ? null : cut(body, BODY_LENGTH),
    hash,
    isCut: body !== null && body.length > BODY_LENGTH,
    createdBy: task.createdBy,
    createdByRun: task.createdByRun,
    bodyBy: body === null ? null : (writer ?? task.createdBy),
    runsAs: { user: os.userInfo().username, host: os.hostname() },
  }
}

/**
 * Whether the work of a card can land. Conflicts with the target branch are ignored, because only git can find them.
 */
function landingOf(task: Task, work: CardWork | undefined): ItemDetails['landing'] {
  if (task.workspace.kind !== 'worktree' || work === undefined || work.changes === null) return null
  if (unlandedChanges([work], task.landed) === null) return task.landed === null ? null : 'landed'
  if (isElsewhere(task.workspace, hostIfSupported()?.machine.id ?? null)) return 'elsewhere'
  return accepts(task.status, 'land') ? 'possible' : 'unfinished'
}

async function lastSteps(work: CardWork | undefined): Promise<ItemDetails['steps']> {
  if (work === undefined || work.logPath === null) return []
  return readLastSteps(work.logPath, STEPS).catch(() => [])
}
