/**
 * Decides which actions a card offers now. Core defines which status accepts which command, and the server decides
 * again.
 */
import { destinationOf } from '../../../../src/core/destinations/destinations.ts'
import type { MoveOperation } from '../../../../src/core/destinations/destination.ts'
import { canPromote } from '../../../../src/core/gates/readiness.ts'
import { accepts, acceptsAnswer, isArchived, isInReview, isReady, isSatisfied } from '../../../../src/core/status.ts'
import { STATUSES } from '../../../../src/core/vocabulary.ts'
import type { CardDetails, CardRun } from '../card-details.ts'

/** In the order of the menu. */
export const CARD_ACTIONS = [
  'undelete',
  'approve',
  'request-changes',
  'answer',
  'unblock',
  'promote',
  'land',
  'release',
  'unarchive',
  'stop',
  'complete',
  'reclaim',
  'force-approve',
  'reopen',
  'hold',
  'block',
  'schedule',
  'request-review',
  'claim',
  'duplicate',
  'archive',
  'delete',
] as const
export type CardAction = (typeof CARD_ACTIONS)[number]

/** The fields of a card that decide which actions are legal. */
export type ActionCard = Pick<
  CardDetails,
  | 'id'
  | 'status'
  | 'archivedFrom'
  | 'blockKind'
  | 'commandsApproved'
  | 'resumeStatus'
  | 'tournament'
  | 'held'
  | 'openParents'
  | 'currentRunId'
  | 'workspace'
  | 'branch'
  | 'hasUnlandedWork'
  | 'deletedAt'
  | 'checks'
  | 'agentChecks'
  | 'guardUntil'
  | 'cooldownUntil'
> & { readonly runs: readonly Pick<CardRun, 'id' | 'kind' | 'phase' | 'fromStatus'>[] }

type OpenRun = ActionCard['runs'][number]

export const openRunOf = <Run extends OpenRun>({
  runs,
  currentRunId,
}: {
  readonly runs: readonly Run[]
  readonly currentRunId: string | null
}): Run | null => runs.find(({ id }) => id === currentRunId) ?? null

interface Facts {
  readonly card: ActionCard
  /** Whether an agent or the checks of the card are running. Any other command ends this run first. */
  readonly isLive: boolean
  /** Whether a person has claimed the card. */
  readonly isClaimed: boolean
  readonly isChecking: boolean
  /** The status of the card before its current run. */
  readonly before: ActionCard['status']
  readonly hasChecks: boolean
  /** The commands that move a card to another status, according to core. */
  readonly moves: ReadonlySet<string>
}

function factsOf(card: ActionCard): Facts {
  const run = openRunOf(card)
  const checks = [...card.checks, ...card.agentChecks]
  return {
    card,
    isLive: run?.kind === 'agent',
    isClaimed: run?.kind === 'manual',
    isChecking: run?.phase === 'check',
    before: run?.fromStatus ?? card.status,
    hasChecks: checks.length > 0,
    moves: movesOf({ ...card, checks }, run),
  }
}

function movesOf(card: ActionCard, run: OpenRun | null): ReadonlySet<MoveOperation> {
  const found = STATUSES.map((status) => destinationOf({ card, run }, status))
  return new Set(found.flatMap((destination) => (destination.isLegal ? [destination.operation] : [])))
}

const isIdle = ({ isLive, isClaimed }: Facts): boolean => !isLive && !isClaimed
const isReviewed = ({ before }: Facts): boolean => accepts(before, 'approve')
/** Whether an agent is reviewing the card. A person may still decide, which ends the run first. */
const isUnderReview = (facts: Facts): boolean => isReviewed(facts) && !isIdle(facts) && !facts.isChecking

/**
 * The rule of each action. Most rules ask core which commands can move the card. The other rules are for commands that
 * keep the status, or that duplicate the move of another command.
 */
const RULES: Readonly<Record<Exclude<CardAction, 'undelete'>, (facts: Facts) => boolean>> = {
  approve: (facts) => facts.moves.has('approve') || isUnderReview(facts),
  'force-approve': (facts) =>
    facts.hasChecks && (isUnderReview(facts) || (isInReview(facts.card.status) && facts.card.openParents === 0)),
  'request-changes': ({ moves }) => moves.has('request-changes'),
  answer: ({ card }) => acceptsAnswer(card),
  unblock: ({ card }) => accepts(card.status, 'unblock'),
  // A ready card that failed may be waiting before its next attempt. `promote` starts it now.
  promote: ({ card, moves }) => moves.has('promote') || (isReady(card.status) && canPromote(card)),
  land: ({ card }) =>
    card.workspace.kind === 'worktree' &&
    card.workspace.base !== null &&
    card.branch !== null &&
    card.hasUnlandedWork &&
    accepts(card.status, 'land'),
  release: ({ card }) => card.held,
  unarchive: ({ card }) => isArchived(card.status),
  stop: ({ isLive }) => isLive,
  complete: (facts) => facts.moves.has('complete') && !isReviewed(facts) && !facts.isChecking,
  reclaim: (facts) => !isIdle(facts),
  reopen: ({ card }) => accepts(card.status, 'reopen') && card.workspace.state !== 'sweeping',
  hold: ({ card }) => !card.held && !isSatisfied(card.status),
  block: ({ moves }) => moves.has('block'),
  // A scheduled card can get another time.
  schedule: ({ card, moves }) => moves.has('schedule') || accepts(card.status, 'schedule'),
  'request-review': ({ moves }) => moves.has('request-review'),
  claim: (facts) => isIdle(facts) && isReady(facts.card.status) && facts.card.openParents === 0 && !facts.card.held,
  duplicate: () => true,
  archive: ({ moves }) => moves.has('archive'),
  delete: () => true,
}

export function legalActions(card: ActionCard): readonly CardAction[] {
  if (card.deletedAt !== null) return ['undelete']
  const facts = factsOf(card)
  return CARD_ACTIONS.filter((action) => action !== 'undelete' && RULES[action](facts))
}

/** Whether the command first ends the run of an agent. */
export const endsRun = (action: CardAction, card: ActionCard): boolean => factsOf(card).isLive && ENDS_RUN.has(action)

const ENDS_RUN: ReadonlySet<CardAction> = new Set([
  'approve',
  'force-approve',
  'complete',
  'stop',
  'reclaim',
  'block',
  'schedule',
  'archive',
  'delete',
])

/** The actions in the footer, the most likely one first. All other actions are in the menu. */
export function footerActions(card: ActionCard): {
  readonly shown: readonly CardAction[]
  readonly more: readonly CardAction[]
} {
  const legal = legalActions(card)
  const likely = LIKELY.filter((action) => legal.includes(action) && isLikely(action, card)).slice(0, SHOWN)
  return { shown: likely, more: legal.filter((action) => !likely.includes(action)) }
}

const SHOWN = 2

const LIKELY: readonly CardAction[] = [
  'undelete',
  'approve',
  'request-changes',
  'answer',
  'release',
  'unblock',
  'promote',
  'stop',
  'land',
  'unarchive',
  'reopen',
  'complete',
  'hold',
]

/**
 * Whether the action is likely. If the card asks a question, `answer` is likely and an unblock without an answer is
 * not.
 */
function isLikely(action: CardAction, card: ActionCard): boolean {
  if (action === 'unblock') return !acceptsAnswer(card)
  if (action === 'reopen') return isSatisfied(card.status)
  return true
}
