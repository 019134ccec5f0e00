/** A worker's verdict that stands. */
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
import type { SettleContext, Settlement } from './settle-context.ts'

export function applyVerdict(about: SettleContext, said: Verdict): Settlement {
  const { task, run, settings, now } = about
  const end = (outcome: Outcome, move: Move, summary: string | null, events: EventDraft[] = []): Settlement => ({
    outcome,
    // A worker that spoke broke no protocol and met no limit; a reviewer says nothing of the author's.
    move: {
      patch: { ...move.patch, rateLimits: 0, ...(run.phase === 'review' ? {} : { protocolViolations: 0 }) },
      events: move.events,
    },
    handOff: { summary, metadata: said.metadata },
    error: null,
    events,
  })
  switch (said.kind) {
    case 'complete':
      return completed(about, said, end)
    case 'block': {
      const request = { kind: said.blockKind, reason: said.reason, by: `agent:${run.agent ?? ''}` }
      const move = blockMove(task, request, { settings, now, runId: run.id, inReview: run.phase === 'review' })
      return end('blocked', move, said.summary ?? said.reason)
    }
    case 'request_review': {
      const { reviewer, summary, metadata } = said
      const move = requestReviewMove(task, { reviewer, summary, metadata, now, runId: run.id })
      return end('review_requested', move, said.summary)
    }
    case 'request_changes':
      return end('changes_requested', sentBack(about, said.reason), wordsOf(said))
  }
}

type Rejection = Extract<Verdict, { kind: 'request_changes' }>

/** The author reads these next: the reasons first, and nothing of what was said is lost. */
const wordsOf = ({ reason, summary }: Rejection): string => (summary === null ? reason : `${reason}\n\n${summary}`)

/** Author and reviewer do not go round for ever: at the bound on attempts a person is asked. */
function sentBack({ task, run, settings, now, recentAttempts: failures }: SettleContext, reason: string): Move {
  const said = { reason, reviewer: reviewerIn(run), now, runId: run.id }
  const limit = settings.attemptsLimit
  if (failures < limit) return requestChangesMove(task, said)
  const stop = { kind: 'attempts', reason: attemptsReason(failures, 'changes_requested'), runId: run.id } as const
  const { patch, events } = stopMove(task, stop, { settings, now })
  const move = requestChangesMove(task, said, patch.status)
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

function completed(
  about: SettleContext,
  said: Extract<Verdict, { kind: 'complete' }>,
  end: (outcome: Outcome, move: Move, summary: string | null, events: EventDraft[]) => Settlement,
): Settlement {
  const { task, run, now, facts, input } = about
  const authors = [`agent:${run.agent ?? ''}`]
  const { verified } = checkCreatedCards(task, said.createdCards, { ...facts, runId: run.id, authors })
  const artifacts = input.attachments.map((attachment) => attachment.filename)
  const approval = run.fromStatus === 'review' ? { reviewer: reviewerIn(run) } : null
  // A check run applies the verdict of its claimant.
  const keepsAttempts = run.phase === 'check' && isAgentName(run.claimedBy)
  const done = { now, runId: run.id, verifiedCards: verified, artifacts, approval, keepsAttempts }
  const move = completeMove(task, said, done)
  const unknown = about.said === null ? [] : unknownMentions(said, facts.cards)
  const advice: EventDraft[] =
    unknown.length > 0
      ? [{ kind: 'unknown_cards_mentioned', taskId: task.id, runId: run.id, data: { ids: unknown } }]
      : []
  return end('completed', move, said.summary ?? said.result, advice)
}

/** The agent that reviews, or the person whose approval a run checks. */
const reviewerIn = ({ agent, claimedBy }: Run): string => (agent === null ? claimedBy : `agent:${agent}`)

/** Ids in a worker's own words that belong to no card. The mere output of a program is not searched. */
function unknownMentions(
  said: Extract<Verdict, { kind: 'complete' }>,
  cards: SettleContext['facts']['cards'],
): TaskId[] {
  const known = new Set(cards.map((card) => card.id))
  return mentionedTaskIds(`${said.summary ?? ''}\n${said.result ?? ''}`).filter((id) => !known.has(id))
}
