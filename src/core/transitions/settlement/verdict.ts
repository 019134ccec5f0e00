import { isAgentName } from '../../actor.ts'
import type { EventDraft } from '../../event.ts'
import { attemptsReason, stopMove } from '../../limits/failure.ts'
import { mentionedTaskIds } from '../../ids.ts'
import type { TaskId } from '../../ids.ts'
import { blockMove, completeMove, requestChangesMove, requestReviewMove } from '../../moves.ts'
import type { Move } from '../../moves.ts'
import type { Run, Verdict } from '../../run.ts'
import type { Outcome } from '../../vocabulary.ts'
import { checkCreatedCards } from '../created-cards.ts'
import { isVerifier } from '../../swarm.ts'
import { fail } from './fail.ts'
import { rejectWork, workersAsked } from './reject-work.ts'
import type { SettleContext, Settlement } from './settle-context.ts'

export function applyVerdict(context: SettleContext, verdict: Verdict): Settlement {
  const { task, run, settings, now } = context
  const end: End = (outcome, move, summary, events = []) => ({
    outcome,
    // Any verdict resets the counters of rate limits and missing verdicts. But a reviewer's verdict keeps the worker's
    // count of missing verdicts.
    move: {
      patch: { ...move.patch, rateLimits: 0, ...(run.phase === 'review' ? {} : { protocolViolations: 0 }) },
      events: move.events,
    },
    handOff: { summary, metadata: verdict.metadata },
    error: null,
    events,
  })
  switch (verdict.kind) {
    case 'complete':
      return completed(context, verdict, end)
    case 'block': {
      const request = { kind: verdict.blockKind, reason: verdict.reason, by: `agent:${run.agent ?? ''}` }
      const move = blockMove(task, request, { settings, now, runId: run.id, inReview: run.phase === 'review' })
      return end('blocked', move, verdict.summary ?? verdict.reason)
    }
    case 'request_review': {
      const { reviewer, summary, metadata } = verdict
      const move = requestReviewMove(task, { reviewer, summary, metadata, now, runId: run.id })
      return end('review_requested', move, verdict.summary)
    }
    case 'request_changes':
      return isVerifier(task) && run.phase === 'work'
        ? swarmSentBack(context, verdict, end)
        : end('changes_requested', sentBack(context, verdict.reason), reasonAndSummary(verdict))
  }
}

/**
 * Applies the request of a verifier. If the caller did not read the workers, nothing is applied, and the verifier runs
 * again without a counted failure.
 */
function swarmSentBack(context: SettleContext, verdict: Rejection, end: End): Settlement {
  const asked = workersAsked(verdict, context.workers)
  if (asked === null || (asked.length === 0 && context.workers.length === 0))
    return fail(context, 'interrupted', 'the workers of the swarm could not be read')
  const { move, after } = rejectWork(context, verdict, asked)
  return { ...end('changes_requested', move, reasonAndSummary(verdict)), after }
}

type End = (outcome: Outcome, move: Move, summary: string | null, events?: EventDraft[]) => Settlement

type Rejection = Extract<Verdict, { kind: 'request_changes' }>

/** Puts the reason before the summary, because the worker must read the reason first. */
const reasonAndSummary = ({ reason, summary }: Rejection): string =>
  summary === null ? reason : `${reason}\n\n${summary}`

/**
 * Sends the card back to its worker. When the attempts limit is reached, a person decides instead, so that worker and
 * reviewer do not loop forever.
 */
function sentBack({ task, run, settings, now, recentAttempts: failures }: SettleContext, reason: string): Move {
  const request = { reason, reviewer: reviewerIn(run), now, runId: run.id }
  const limit = settings.attemptsLimit
  if (failures < limit) return requestChangesMove(task, request)
  const stop = { kind: 'attempts', reason: attemptsReason(failures, 'changes_requested'), runId: run.id } as const
  const { patch, events } = stopMove(task, stop, { settings, now })
  const move = requestChangesMove(task, request, patch.status)
  return {
    patch: { ...move.patch, ...patch },
    events: [
      ...move.events,
      {
        kind: 'gave_up',
        taskId: task.id,
        runId: run.id,
        data: { failures, limit, trigger: 'changes_requested', error: null },
      },
      ...events,
    ],
  }
}

function completed(context: SettleContext, verdict: Extract<Verdict, { kind: 'complete' }>, end: End): Settlement {
  const { task, run, now, facts, input } = context
  const authors = [`agent:${run.agent ?? ''}`]
  const { verified } = checkCreatedCards(task, verdict.createdCards, { ...facts, runId: run.id, authors })
  const unknown = context.verdict === null ? [] : unknownMentions(verdict, facts.cards)
  const advice: EventDraft[] =
    unknown.length > 0
      ? [{ kind: 'unknown_cards_mentioned', taskId: task.id, runId: run.id, data: { ids: unknown } }]
      : []
  const summary = verdict.summary ?? verdict.result
  if (needsReview(context)) {
    const { metadata } = verdict
    const move = requestReviewMove(task, {
      reviewer: null,
      summary: verdict.result ?? summary,
      metadata,
      now,
      runId: run.id,
    })
    return end('review_requested', move, summary, advice)
  }
  const artifacts = input.attachments.map((attachment) => attachment.filename)
  const approval = run.fromStatus === 'review' ? { reviewer: reviewerIn(run) } : null
  // In a check run, the actor that opened the run also gave the verdict.
  const keepsAttempts = run.phase === 'check' && isAgentName(run.claimedBy)
  const done = { now, runId: run.id, verifiedCards: verified, artifacts, approval, keepsAttempts }
  return end('completed', completeMove(task, verdict, done), summary, advice)
}

/**
 * Whether the card needs a review. A card that names a reviewer is done only when this reviewer approves it, even if
 * the worker requested no review.
 */
const needsReview = ({ task, run }: SettleContext): boolean => run.phase === 'work' && task.reviewer !== null

/** The agent that reviewed the card. In a check run, this is the person whose approval started the checks. */
const reviewerIn = ({ agent, claimedBy }: Run): string => (agent === null ? claimedBy : `agent:${agent}`)

/** The card ids in the worker's summary or result that do not exist. Program output is not searched for ids. */
function unknownMentions(
  verdict: Extract<Verdict, { kind: 'complete' }>,
  cards: SettleContext['facts']['cards'],
): TaskId[] {
  const known = new Set(cards.map((card) => card.id))
  return mentionedTaskIds(`${verdict.summary ?? ''}\n${verdict.result ?? ''}`).filter((id) => !known.has(id))
}
