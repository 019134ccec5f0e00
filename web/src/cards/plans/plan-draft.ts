/** A plan for a card while a person edits it. All functions are pure. */
import type { Inputs, Outputs } from '../../../../src/client/index.ts'
import { linkFault } from '../graph/links.ts'
import type { LinkEnds } from '../graph/link-ends.ts'

export type Plan = Outputs['decompose']['plan']
export type PlanKind = Plan['kind']
type SplitPlan = Extract<Plan, { kind: 'decompose' }>
type GivenPlan = NonNullable<Inputs['decompose']['plan']>

/** A card of the plan. Empty text: no agent. */
export interface DraftCard {
  readonly key: string
  readonly title: string
  readonly body: string
  readonly assignee: string
  readonly checks: readonly string[]
  /** The keys of the cards that must finish first. */
  readonly after: readonly string[]
}

export interface PlanDraft {
  /**
   * The kind of plan that the person requested. The planner may find that a card is one unit of work, and write it out
   * instead.
   */
  readonly asked: PlanKind
  /** The plan as the planner made it. */
  readonly plan: Plan
  /** The text of the card that the planner read. */
  readonly read: { readonly title: string; readonly body: string | null }
  /** A plan that writes the card out has exactly one card. */
  readonly cards: readonly DraftCard[]
}

/** The limits of the server. */
export const CARDS_MAX = 12
const CHECKS_MAX = 8
const TITLE_MAX = 500

export function draftOf(plan: Plan, asked: PlanKind, read: PlanDraft['read']): PlanDraft {
  const cards: readonly DraftCard[] =
    plan.kind === 'decompose'
      ? plan.cards.map((card) => ({ ...card, assignee: card.assignee ?? '' }))
      : [
          {
            key: plan.task,
            title: plan.title,
            body: plan.body ?? '',
            assignee: plan.assignee ?? '',
            checks: plan.checks,
            after: [],
          },
        ]
  return { asked, plan, read: { title: read.title, body: read.body }, cards }
}

/** The plan with the changes of the person. */
export function planOf({ plan, cards }: PlanDraft): GivenPlan {
  if (plan.kind === 'decompose') return { ...plan, cards: cards.map(sentCard) }
  const [card] = cards
  if (card === undefined) return plan
  const { title, body, assignee, checks } = sentCard(card)
  return { ...plan, title, body, assignee, checks }
}

const sentCard = ({ title, body, assignee, checks, ...rest }: DraftCard): SplitPlan['cards'][number] => ({
  ...rest,
  title: title.trim(),
  body: body.trim(),
  assignee: assignee === '' ? null : assignee,
  checks: checks.map((check) => check.trim()).filter((check) => check !== ''),
})

export const withCard = (draft: PlanDraft, key: string, change: Partial<Omit<DraftCard, 'key'>>): PlanDraft => ({
  ...draft,
  cards: draft.cards.map((card) => (card.key === key ? { ...card, ...change } : card)),
})

/** Removes a card. The cards after it wait for the cards before it instead. */
export function withoutCard(draft: PlanDraft, key: string): PlanDraft {
  const before = draft.cards.find((card) => card.key === key)?.after ?? []
  const cards = draft.cards
    .filter((card) => card.key !== key)
    .map((card) =>
      card.after.includes(key)
        ? { ...card, after: [...new Set(card.after.flatMap((one) => (one === key ? before : [one])))] }
        : card,
    )
  return { ...draft, cards }
}

export function withNewCard(draft: PlanDraft): { readonly draft: PlanDraft; readonly key: string } {
  const keys = new Set(draft.cards.map(({ key }) => key))
  let count = draft.cards.length + 1
  while (keys.has(`new-${count}`)) count += 1
  const key = `new-${count}`
  const card: DraftCard = { key, title: '', body: '', assignee: '', checks: [], after: [] }
  return { draft: { ...draft, cards: [...draft.cards, card] }, key }
}

export const linksOf = ({ cards }: Pick<PlanDraft, 'cards'>): readonly LinkEnds[] =>
  cards.flatMap(({ key, after }) => after.map((parent) => ({ parent, child: key })))

export function withLink(draft: PlanDraft, { parent, child }: LinkEnds): PlanDraft {
  const card = draft.cards.find(({ key }) => key === child)
  const isKnown = draft.cards.some(({ key }) => key === parent)
  if (card === undefined || !isKnown || linkFault(linksOf(draft), { parent, child }) !== null) return draft
  return withCard(draft, child, { after: [...card.after, parent] })
}

export function withoutLink(draft: PlanDraft, { parent, child }: LinkEnds): PlanDraft {
  const card = draft.cards.find(({ key }) => key === child)
  return card === undefined ? draft : withCard(draft, child, { after: card.after.filter((one) => one !== parent) })
}

/** The cards for which no other card of the plan waits. The original card waits for them. */
export function lastCards({ cards }: Pick<PlanDraft, 'cards'>): readonly string[] {
  const waitedFor = new Set(cards.flatMap(({ after }) => after))
  return cards.filter(({ key }) => !waitedFor.has(key)).map(({ key }) => key)
}

export interface PlanProblem {
  /** The card with the mistake. Null means that the mistake is not about one card. */
  readonly card: string | null
  readonly fault: 'noTitle' | 'longTitle' | 'manyChecks' | 'noCards' | 'manyCards'
}

/** The first mistake that the server would refuse. */
export function faultOf({ plan, cards }: PlanDraft): PlanProblem | null {
  if (cards.length === 0) return { card: null, fault: 'noCards' }
  if (plan.kind === 'decompose' && cards.length > CARDS_MAX) return { card: null, fault: 'manyCards' }
  for (const { key, title, checks } of cards) {
    if (title.trim() === '') return { card: key, fault: 'noTitle' }
    if (title.trim().length > TITLE_MAX) return { card: key, fault: 'longTitle' }
    if (checks.filter((check) => check.trim() !== '').length > CHECKS_MAX) return { card: key, fault: 'manyChecks' }
  }
  return null
}

/** The card of the plan that a refusal of the server is about. */
export function refusedCard({ cards }: PlanDraft, field: string | null): string | null {
  const [, at] = /\bcards\.(\d+)/.exec(field ?? '') ?? []
  return at === undefined ? null : (cards[Number(at)]?.key ?? null)
}

/** Whether the person has changed the plan of the planner. */
export const isEdited = (draft: PlanDraft): boolean =>
  JSON.stringify(draft.cards) !== JSON.stringify(draftOf(draft.plan, draft.asked, draft.read).cards)

/** Whether the text of the card differs from the text that the planner read. */
export const hasMoved = (
  { read }: Pick<PlanDraft, 'read'>,
  card: { readonly title: string; readonly body: string | null },
): boolean => read.title !== card.title || (read.body ?? '') !== (card.body ?? '')

/** The number of commands in the plan. They wait for the approval of a person. */
export const commandCount = ({ cards }: Pick<PlanDraft, 'cards'>): number =>
  cards.flatMap(({ checks }) => checks.filter((check) => check.trim() !== '')).length

/** Parses a stored draft. Null: there is none, or another version stored it. */
export function readDraft(text: string | null): PlanDraft | null {
  try {
    const stored = JSON.parse(text ?? 'null') as Partial<PlanDraft> | null
    const isKnown =
      stored !== null &&
      (stored.plan?.kind === 'specify' || stored.plan?.kind === 'decompose') &&
      Array.isArray(stored.plan.dropped) &&
      Array.isArray(stored.plan.reassigned) &&
      Array.isArray(stored.cards) &&
      stored.cards.every(isCard) &&
      typeof stored.read?.title === 'string'
    // The cast is safe, because the parts that differ between versions were compared.
    return isKnown ? (stored as PlanDraft) : null
  } catch {
    return null
  }
}

const isCard = (card: Partial<DraftCard>): boolean =>
  [card.key, card.title, card.body, card.assignee].every((text) => typeof text === 'string') &&
  Array.isArray(card.checks) &&
  Array.isArray(card.after)
