/** A worker's verdict that stands. */
import type { EventDraft } from '../../event.ts'
import { mentionedTaskIds } from '../../ids.ts'
import type { TaskId } from '../../ids.ts'
import { blockMove, completeMove, requestChangesMove, requestReviewMove } from '../../moves.ts'
import type { Move } from '../../moves.ts'
import type { Verdict } from '../../run.ts'
import type { Outcome } from '../../vocabulary.ts'
import { checkCreatedCards } from '../created-cards.ts'
import type { About, End } from './about.ts'

export function applyVerdict(about: About, said: Verdict): End {
  const { task, run, settings, now } = about
  const end = (outcome: Outcome, move: Move, summary: string | null, events: EventDraft[] = []): End => ({
    outcome,
    // A worker that spoke broke no protocol and met no limit.
    move: { patch: { ...move.patch, protocolViolations: 0, rateLimits: 0 }, events: move.events },
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
      const move = requestReviewMove(task, { reviewer: said.reviewer, summary: said.summary, runId: run.id })
      return end('review_requested', move, said.summary)
    }
    case 'request_changes':
      return end(
        'changes_requested',
        requestChangesMove(task, { reason: said.reason, runId: run.id }),
        said.summary ?? said.reason,
      )
  }
}

function completed(
  about: About,
  said: Extract<Verdict, { kind: 'complete' }>,
  end: (outcome: Outcome, move: Move, summary: string | null, events: EventDraft[]) => End,
): End {
  const { task, run, now, facts, input } = about
  const authors = [`agent:${run.agent ?? ''}`]
  const { verified } = checkCreatedCards(task, said.createdCards, { ...facts, runId: run.id, authors })
  const artifacts = input.attachments.map((attachment) => attachment.filename)
  const move = completeMove(task, said, { now, runId: run.id, verifiedCards: verified, artifacts })
  const unknown = about.said === null ? [] : unknownMentions(said, facts.cards)
  const approval: EventDraft[] =
    run.phase === 'review' || (run.phase === 'check' && run.fromStatus === 'review')
      ? [{ kind: 'approved', taskId: task.id, runId: run.id, data: { summary: said.summary ?? '' } }]
      : []
  const advice: EventDraft[] =
    unknown.length > 0
      ? [{ kind: 'unknown_cards_mentioned', taskId: task.id, runId: run.id, data: { ids: unknown } }]
      : []
  return end('completed', move, said.summary ?? said.result, [...approval, ...advice])
}

/** Ids in a worker's own words that belong to no card. The mere output of a program is not searched. */
function unknownMentions(said: Extract<Verdict, { kind: 'complete' }>, cards: About['facts']['cards']): TaskId[] {
  const known = new Set(cards.map((card) => card.id))
  return mentionedTaskIds(`${said.summary ?? ''}\n${said.result ?? ''}`).filter((id) => !known.has(id))
}
