/**
 * Decides where a person may move a card, and which operation moves the card there. The dashboard asks this before it
 * offers a move, and the store decides again. So every rule here repeats the conditions of its verb, and a property
 * test compares the two.
 */
import { isElsewhere } from '../gates/workspace-gates.ts'
import { readyOrTodo, restoredStatus } from '../gates/readiness.ts'
import {
  accepts,
  acceptsAnswer,
  isArchived,
  isBlocked,
  isDone,
  isInReview,
  isInTriage,
  isReady,
  isSatisfied,
} from '../status.ts'
import { awaitsPick, isTournament } from '../tournament/tournament.ts'
import type { Status } from '../vocabulary.ts'
import { OPTIONAL, REQUIRED, legal, obstructed } from './destination.ts'
import type { Destination, LegalMove, Movable, Obstructed } from './destination.ts'

/** Returns the move that gives the card a status, or the reason why no command does so. */
export const destinationOf = (movable: Movable, to: Status): Destination => {
  const { card } = movable
  if (card.deletedAt !== null) return obstructed('deleted')
  if (card.status === to) return obstructed('already_there')
  if (isArchived(card.status)) return fromArchive(movable, to)
  // A tournament never starts, and only a pick gives it a result, unless the board has blocked it.
  if (isTournament(card) && isReady(to)) return obstructed('waits_for_pick')
  if (awaitsPick(card) && !isBlocked(card.status) && (isInReview(to) || isDone(to))) return obstructed('waits_for_pick')
  return DESTINATIONS[to](movable)
}

const DESTINATIONS: { readonly [S in Status]: (movable: Movable) => Destination } = {
  triage: (movable) => backTo('triage', movable) ?? obstructed('triage_by_itself'),
  todo: (movable) => toWork(movable, 'todo'),
  scheduled: toScheduled,
  ready: (movable) => toWork(movable, 'ready'),
  running: () => obstructed('starts_by_itself'),
  review: toReview,
  blocked: toBlocked,
  done: toDone,
  archived: (movable) => legal(movable, 'archive', 'archives'),
}

/** Ends the run of a running card, if the card had the wanted status before the run. */
function backTo(to: Status, movable: Movable): LegalMove | null {
  const { card, run } = movable
  if (run === null || restoredStatus(card, run.fromStatus) !== to) return null
  return run.kind === 'agent' ? legal(movable, 'stop', 'stops') : legal(movable, 'reclaim', 'gives_back')
}

function toWork(movable: Movable, to: 'todo' | 'ready'): Destination {
  const { card, run } = movable
  if (run !== null) return backTo(to, movable) ?? sentBack(movable, to) ?? obstructed(elsewhere(movable, to))
  switch (card.status) {
    case 'done':
      return reopened(movable, to)
    case 'review':
      return sentBack(movable, to) ?? reopened(movable, to)
    case 'blocked':
    case 'scheduled':
      return unblocked(movable, to)
    case 'triage':
      return fromTriage(movable, to)
    case 'todo':
      return promoted(movable)
    default:
      return obstructed('no_parents')
  }
}

/** Sends a card in review back to its assignee. A person who claimed the review may also send the card back. */
function sentBack(movable: Movable, to: Status): LegalMove | null {
  const { card, run } = movable
  const isReviewedByHand = run === null ? isInReview(card.status) : run.kind === 'manual' && isInReview(run.fromStatus)
  if (!isReviewedByHand || readyOrTodo(card) !== to) return null
  return legal(movable, 'request-changes', 'sends_back', { asks: REQUIRED('reason') })
}

/** Explains why the card would not have the wanted status after it returns to work. */
const elsewhere = ({ card }: Movable, to: 'todo' | 'ready') =>
  to === 'todo' && card.openParents === 0 ? 'no_parents' : card.openParents > 0 ? 'parents_open' : 'waits_for_review'

function reopened(movable: Movable, to: Status): Destination {
  const { card, parentSweeping = false, waivedParents = 0 } = movable
  if (card.workspace.state === 'sweeping' || parentSweeping) return obstructed('sweeping')
  const status = readyOrTodo({ ...card, openParents: card.openParents + waivedParents })
  if (status !== to) return obstructed(to === 'todo' ? 'no_parents' : 'parents_open')
  return legal(movable, 'reopen', 'reopens', { asks: OPTIONAL('reason') })
}

function unblocked(movable: Movable, to: 'todo' | 'ready'): Destination {
  const { card } = movable
  if (card.resumeStatus !== null)
    return isBlocked(card.status) && to === 'ready' ? promoted(movable) : obstructed('waits_for_review')
  if (readyOrTodo(card) === to) return resumed(movable, isBlocked(card.status) ? 'retries' : 'starts')
  if (to === 'todo') return obstructed('no_parents')
  return isBlocked(card.status) ? promoted(movable) : obstructed('parents_open')
}

/** Answers the question of a blocked card, or lets the card continue. */
function resumed(movable: Movable, effect: 'retries' | 'starts' | 'resumes_review'): LegalMove {
  const { card } = movable
  if (card.blockKind === 'needs_input' && acceptsAnswer(card))
    return legal(movable, 'answer', 'answers', { asks: REQUIRED('text') })
  const input = card.blockKind === 'attempts' ? { reset: true } : {}
  return legal(movable, 'unblock', effect, { input })
}

function fromTriage(movable: Movable, to: 'todo' | 'ready'): Destination {
  if (to === 'ready') return promoted(movable)
  return readyOrTodo(movable.card) === 'todo'
    ? legal(movable, 'update', 'waits', { input: { status: 'todo' } })
    : obstructed('no_parents')
}

/** Moves the card to ready. If the card has unfinished parents, the move removes these dependencies. */
const promoted = (movable: Movable): LegalMove =>
  movable.card.openParents > 0
    ? legal(movable, 'promote', 'drops_parents', { input: { force: true }, asks: REQUIRED('confirm') })
    : legal(movable, 'promote', 'starts')

function toScheduled(movable: Movable): Destination {
  const { card, run } = movable
  return run !== null || accepts(card.status, 'schedule')
    ? legal(movable, 'schedule', 'holds')
    : obstructed(waitsFor(card.status))
}

function toReview(movable: Movable): Destination {
  const { card, run } = movable
  if (run !== null) return backTo('review', movable) ?? requestedReview(movable)
  if (card.resumeStatus !== null) return resumed(movable, 'resumes_review')
  return requestedReview(movable)
}

function requestedReview(movable: Movable): Destination {
  const { card, run } = movable
  if (run?.kind === 'agent') return obstructed('only_agent')
  if (run === null && !accepts(card.status, 'request_review')) return obstructed(waitsFor(card.status))
  return legal(movable, 'request-review', 'asks_review', { asks: OPTIONAL('summary') })
}

function toBlocked(movable: Movable): Destination {
  const { card, run } = movable
  return run !== null || accepts(card.status, 'block')
    ? legal(movable, 'block', 'blocks', { asks: REQUIRED('reason') })
    : obstructed(waitsFor(card.status))
}

function toDone(movable: Movable): Destination {
  const { card, run } = movable
  const hasChecks = card.checks === undefined ? null : card.checks.length > 0
  if (run?.kind === 'manual' && hasChecks === true) return obstructed('checks_while_claimed')
  const obstruction = run === null ? whyUnfinished(movable) : null
  if (obstruction !== null) return obstruction
  const effect = hasChecks === true ? 'completes_with_checks' : 'completes'
  if (run === null && isInReview(card.status)) return legal(movable, 'approve', 'approves')
  return legal(movable, 'complete', effect, { asks: OPTIONAL('summary') })
}

/** Why a card without an open run cannot be completed. */
function whyUnfinished({ card, machine = null }: Movable): Obstructed | null {
  const { status, checks = [] } = card
  if (status === 'todo' || (accepts(status, 'complete') && card.openParents > 0)) return obstructed('parents_open')
  if (!accepts(status, 'complete')) return obstructed(waitsFor(status))
  if (checks.length === 0) return null
  if (!card.commandsApproved) return obstructed('commands_unapproved')
  return isElsewhere(card.workspace, machine) ? obstructed('files_elsewhere') : null
}

/** The obstruction of a card that another command must move out of this status first. */
function waitsFor(status: Status) {
  if (isInTriage(status)) return 'in_triage'
  if (isInReview(status)) return 'in_review'
  if (isSatisfied(status)) return 'finished'
  if (status === 'scheduled') return 'scheduled'
  return isBlocked(status) ? 'blocked' : 'parents_open'
}

function fromArchive(movable: Movable, to: Status): Destination {
  const { card, parentSweeping = false } = movable
  const before = restoredStatus(card, card.archivedFrom ?? 'ready')
  if (before === to)
    return parentSweeping && !isSatisfied(before) ? obstructed('sweeping') : legal(movable, 'unarchive', 'restores')
  return to === 'todo' || to === 'ready' ? reopened(movable, to) : obstructed('archived')
}
