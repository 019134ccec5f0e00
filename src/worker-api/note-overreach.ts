/**
 * Records refused requests that exceeded a worker's permissions. The record is on the worker's card, because such a
 * request can be the first sign of a prompt injection. Repeated attempts do not flood the board.
 */
import { BoardError } from '../core/errors.ts'
import { TASK_PREFIX } from '../core/ids.ts'
import { firstLine } from '../core/text.ts'
import type { Requester } from '../supervisor/run-socket.ts'

/**
 * The maximum number of different attempts that are counted separately for a run. All other attempts share one count.
 */
const SEPARATE_ATTEMPTS = 20

const OTHERS = 'others'

/** How often each run made each attempt. */
const attempts = new WeakMap<Requester['owned'], Map<string, number>>()

export async function recordOverreach<T>(
  { owned }: Pick<Requester, 'owned'>,
  request: WorkerRequest,
  answer: () => Promise<T>,
): Promise<T> {
  try {
    return await answer()
  } catch (error) {
    // The original refusal is thrown even if recording it fails.
    if (error instanceof BoardError) await note(owned, request, error).catch(() => {})
    throw error
  }
}

export interface WorkerRequest {
  /** The name of the operation or the tool. */
  readonly name: string
  readonly input: unknown
}

async function note(
  owned: Requester['owned'],
  { name, input: given }: WorkerRequest,
  error: BoardError,
): Promise<void> {
  if (!(await isOverreach(owned, error))) return
  const { store, ticket, fence } = owned
  const { board, task, agent } = ticket
  const target = targetOf(given, error)
  const times = count(owned, `${name} ${target}`)
  if (!isPowerOfTen(times)) return
  const actor = { kind: 'worker', name: agent, taskId: task, runId: fence.runId } as const
  const input = { task, fence, asked: name, target, reason: firstLine(error.message, 400), times }
  await store.decide({ verb: 'overreach', board, actor, input })
}

/**
 * Whether a refusal counts as overreach. A request for a card of another board counts, although the worker only sees
 * the error for an unknown card.
 */
async function isOverreach({ store, ticket }: Requester['owned'], { code, details }: BoardError): Promise<boolean> {
  if (code === 'not_allowed') return true
  const id = details['id']
  if (code !== 'task_not_found' || typeof id !== 'string') return false
  const typed = id.trim().toLowerCase()
  if (!TASK_PREFIX.test(typed)) return false
  return (await store.tasksByPrefix(typed)).some(({ board }) => board !== ticket.board)
}

/** The card or board that the error names, otherwise the card or board that the request names. */
function targetOf(input: unknown, { details }: BoardError): string | null {
  const { task, id, child, board, slug } = (input ?? {}) as Readonly<Record<string, unknown>>
  const named = [details['id'], details['board'], task, id, child, board, slug]
  const target = named.find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof target === 'string' ? firstLine(target, 100) : null
}

function count(owned: Requester['owned'], attempt: string): number {
  const counts = attempts.get(owned) ?? new Map<string, number>()
  attempts.set(owned, counts)
  const key = counts.has(attempt) || counts.size < SEPARATE_ATTEMPTS ? attempt : OTHERS
  const times = (counts.get(key) ?? 0) + 1
  counts.set(key, times)
  return times
}

const isPowerOfTen = (count: number): boolean => Number.isInteger(Math.log10(count))
