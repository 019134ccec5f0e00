import type { z } from 'zod'
import type { Account } from '../../account.ts'
import type { BoardSettings } from '../../board.ts'
import { allChecksPassed } from '../../required-checks.ts'
import type { Change } from '../../decision.ts'
import type { EventDraft } from '../../event.ts'
import { isGoalMet } from '../../goal.ts'
import type { CommentId, TaskId } from '../../ids.ts'
import type { HandOff, Move } from '../../moves.ts'
import type { Run, Verdict } from '../../run.ts'
import type { Task } from '../../task.ts'
import type { Outcome } from '../../vocabulary.ts'
import type { checkCreatedCards } from '../created-cards.ts'
import { needsChecks } from '../run-life.ts'
import type { settleInput } from './input.ts'

/** A worker of the swarm that the card verifies, with the id of the comment that may carry a request to it. */
export interface WorkerRow {
  readonly task: Task
  readonly comment: CommentId
}

/** The values that a settlement depends on. */
export interface SettleContext {
  readonly task: Task
  readonly run: Run
  readonly verdict: Verdict | null
  readonly input: z.infer<typeof settleInput>
  readonly settings: BoardSettings
  readonly now: number
  /** The attempts that count against the attempts limit. */
  readonly recentAttempts: number
  /** The workers of the swarm that the card verifies, as far as the caller has read them. */
  readonly workers: readonly WorkerRow[]
  /** The account of the run. Null means that the run has no account. */
  readonly account: Account | null
  readonly facts: {
    readonly cards: Parameters<typeof checkCreatedCards>[2]['cards']
    readonly children: readonly TaskId[]
  }
}

/** The outcome that a settlement decided on. */
export interface Settlement {
  readonly outcome: Outcome
  readonly move: Move
  readonly handOff: Pick<HandOff, 'summary' | 'metadata'>
  readonly error: string | null
  readonly changes?: readonly Change[]
  /** Changes of other cards that depend on the new status of this card. */
  readonly after?: readonly Change[]
  readonly events?: readonly EventDraft[]
}

/** Records a verdict that is not applied. */
export const ignoredVerdict = ({ task, run, verdict }: SettleContext): EventDraft[] =>
  verdict ? [{ kind: 'late_result', taskId: task.id, runId: run.id, data: { verb: 'verdict', content: verdict } }] : []

export const isChecked = ({ task, run }: SettleContext): boolean => allChecksPassed(task, run)

/** Whether a worker may finish the card: its checks passed and, if it has a goal, its judge accepted the work. */
export const isAccepted = (context: SettleContext): boolean =>
  isChecked(context) && isGoalMet(context.task, context.run)

/** Whether the only missing checks were added later. All earlier checks of the card have passed. */
export function awaitsNewChecks(context: SettleContext): boolean {
  const { run, verdict, input } = context
  if (isChecked(context) || run.checks?.passedAt == null || input.ending.error !== null) return false
  if (run.intent !== null) return run.intent.force === null && ['complete', 'approve'].includes(run.intent.verb)
  const { how, exitCode, signal } = input.ending
  if (how !== 'exited') return false
  return verdict === null ? input.completesOnExit && exitCode === 0 && signal === null : needsChecks(verdict)
}
