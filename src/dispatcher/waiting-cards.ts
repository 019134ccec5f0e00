/** Reports the cards that no pass tries to start, because they wait for a time, a person or the end of a pause. */
import { isPaused, isSlotPaused, runnerOf } from '../core/gates/admission.ts'
import { IN_REVIEW } from '../core/status.ts'
import type { Task } from '../core/task.ts'
import { readRoster } from '../agents/roster.ts'
import type { DispatchContext } from './dispatch-context.ts'
import type { DispatchReport } from './report.ts'

/** The maximum number of cards in a report. The cards that start soonest come first. */
const REPORTED = 200
/**
 * The longest wait that the report includes: a little over a day. A longer wait comes from a setting that a person
 * changed, so the person expects it.
 */
const WITHIN_MS = 24 * 3_600_000 + 1

type WaitingCards = Pick<DispatchReport, 'guarded' | 'rateLimited' | 'coolingDown' | 'paused' | 'awaitingReview'>

export async function findWaitingCards(context: DispatchContext): Promise<WaitingCards> {
  const { store, onlyBoard } = context
  const now = await store.now()
  const waiting = (await store.waiting(now, now + WITHIN_MS, REPORTED)).filter(
    ({ board }) => onlyBoard === null || board === onlyBoard,
  )
  return {
    guarded: waiting.flatMap(({ id, guardUntil, guardReason }) =>
      guardUntil !== null && guardReason !== null && guardUntil > now
        ? [{ id, reason: guardReason, until: guardUntil }]
        : [],
    ),
    rateLimited: cooling(waiting, 'rate_limit', now),
    coolingDown: cooling(waiting, 'retry', now),
    awaitingReview: await awaitingReview(context),
    paused: [...(await pausedSlots(context, now)), ...(await pausedAccounts(context, now))],
  }
}

const cooling = (waiting: readonly Task[], reason: Task['cooldownReason'], now: number): WaitingCards['coolingDown'] =>
  waiting.flatMap(({ id, cooldownReason, cooldownUntil }) =>
    cooldownReason === reason && cooldownUntil !== null && cooldownUntil > now ? [{ id, until: cooldownUntil }] : [],
  )

/**
 * The cards that wait for a review by a person: cards without a reviewer, and cards whose reviewer failed too often.
 */
async function awaitingReview({ store, onlyBoard }: DispatchContext): Promise<WaitingCards['awaitingReview']> {
  const boards = (await store.boards()).filter(
    ({ slug, archivedAt }) => archivedAt === null && (onlyBoard === null || slug === onlyBoard),
  )
  const found: WaitingCards['awaitingReview'] = []
  for (const board of boards) {
    const tasks = await store.tasks(board.slug, { status: IN_REVIEW, limit: REPORTED })
    const { slug, settings } = board
    const ids = tasks.map(({ id }) => id)
    const own = settings.reviewer === null ? [] : await store.workedOn(slug, settings.reviewer, ids)
    for (const task of tasks)
      if (!task.held && (task.breakerOpen || runnerOf(task, board, own.includes(task.id)) === null)) found.push(task.id)
  }
  return found
}

const pausedSlots = async ({ store }: DispatchContext, now: number): Promise<WaitingCards['paused']> =>
  (await store.slots())
    .filter((slot) => isSlotPaused(slot, now))
    .map(({ kind, name, pauseReason, pausedUntil }) => ({ kind, name, reason: pauseReason, until: pausedUntil }))

/** The paused accounts that agents of this machine use. */
async function pausedAccounts({ store, options, env }: DispatchContext, now: number): Promise<WaitingCards['paused']> {
  const { agents } = await readRoster(options.home, env)
  const names = new Set([...agents.values()].flatMap(({ account }) => (account === null ? [] : [account])))
  const accounts = await Promise.all([...names].map((name) => store.account(name)))
  return accounts.flatMap((account) =>
    account !== null && isPaused(account, now)
      ? [
          {
            kind: 'account' as const,
            name: account.name,
            reason: account.pauseReason ?? account.pauseCause,
            until: account.pausedUntil,
          },
        ]
      : [],
  )
}
