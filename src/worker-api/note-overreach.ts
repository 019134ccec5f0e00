/**
 * Records on a worker's card each request that was refused because it exceeded the worker's permissions, so a person can see
 * what the agent was talked into. Repeated attempts do not flood the board.
 */
import { BoardError } from '../core/errors.ts'
import { TASK_PREFIX } from '../core/ids.ts'
import { firstLine } from '../core/text.ts'
import type { Requester } from '../supervisor/run-socket.ts'

/** How many different attempts of a run are counted separately; all others count as one. */
const SEPARATE_ATTEMPTS = 20

const OTHERS = 'others'

/** How often each attempt was made, run by run. */
const attempts = new WeakMap<Requester['owned'], Map<string, number>>()

export async function notingOverreach<T>(
  { owned }: Pick<Requester, 'owned'>,
  wish: Wish,
  answer: () => Promise<T>,
): Promise<T> {
  try {
    return await answer()
  } catch (error) {
    // The refusal is thrown even if it cannot be recorded.
    if (error instanceof BoardError) await note(owned, wish, error).catch(() => {})
    throw error
  }
}

export interface Wish {
  /** The verb or the tool. */
  readonly asked: string
  readonly said: unknown
}

async function note(owned: Requester['owned'], { asked, said }: Wish, error: BoardError): Promise<void> {
  if (!(await isOverreach(owned, error))) return
  const { store, ticket, fence } = owned
  const { board, task, agent } = ticket
  const target = targetOf(said, error)
  const times = count(owned, `${asked} ${target}`)
  if (!isPowerOfTen(times)) return
  const actor = { kind: 'worker', name: agent, taskId: task, runId: fence.runId } as const
  const input = { task, fence, asked, target, reason: firstLine(error.message, 400), times }
  await store.decide({ verb: 'overreach', board, actor, input })
}

/** For a worker, a card of another board does not exist; asking for one is still recorded. */
async function isOverreach({ store, ticket }: Requester['owned'], { code, details }: BoardError): Promise<boolean> {
  if (code === 'not_allowed') return true
  const id = details['id']
  if (code !== 'task_not_found' || typeof id !== 'string') return false
  const typed = id.trim().toLowerCase()
  if (!TASK_PREFIX.test(typed)) return false
  return (await store.tasksByPrefix(typed)).some(({ board }) => board !== ticket.board)
}

/** The card or board that the refusal names, or else the request. */
function targetOf(said: unknown, { details }: BoardError): string | null {
  const { task, id, child, board, slug } = (said ?? {}) as Readonly<Record<string, unknown>>
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
