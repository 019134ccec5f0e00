import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ClientError } from '../../src/client/index.ts'
import { findCycle } from '../../src/core/gates/readiness.ts'
import {
  commandCount,
  draftOf,
  faultOf,
  hasMoved,
  isEdited,
  lastCards,
  linksOf,
  planOf,
  readDraft,
  refusedCard,
  withCard,
  withLink,
  withNewCard,
  withoutCard,
  withoutLink,
} from '../../web/src/cards/plans/plan-draft.ts'
import type { Plan, PlanDraft } from '../../web/src/cards/plans/plan-draft.ts'
import { failureKind, failureUsage } from '../../web/src/plan/failure-kind.ts'

const IDEA = { title: 'A shop', body: null }
const about = { task: 't_1', rationale: 'It is large.', usage: null, dropped: [], reassigned: [] }
const cardOf = (key: string, ...after: readonly string[]) => ({
  key,
  title: `Build ${key}`,
  body: 'Do it.',
  assignee: null,
  checks: [],
  after,
})
const SPLIT: Plan = { ...about, kind: 'decompose', cards: [cardOf('a'), cardOf('b', 'a'), cardOf('c', 'b')] }
const WRITTEN: Plan = {
  ...about,
  kind: 'specify',
  title: 'Open',
  body: 'Open it.',
  assignee: 'coder',
  checks: ['true'],
}
const split = draftOf(SPLIT, 'decompose', IDEA)

test('an unchanged plan is sent as the planner made it', () => {
  expect(planOf(split)).toEqual(SPLIT)
  expect(planOf(draftOf(WRITTEN, 'specify', IDEA))).toEqual(WRITTEN)
  expect(isEdited(split)).toBe(false)
})

test('the changes of a person are sent without blank checks and spaces', () => {
  const edited = withCard(split, 'b', { title: ' Paint ', assignee: 'coder', checks: ['npm test', ' '] })
  expect(planOf(edited)).toMatchObject({
    cards: [{}, { key: 'b', title: 'Paint', assignee: 'coder', checks: ['npm test'], after: ['a'] }, {}],
  })
  expect([isEdited(edited), commandCount(edited)]).toEqual([true, 1])
})

test('the cards after a removed card wait for the cards before it', () => {
  expect(linksOf(withoutCard(split, 'b'))).toEqual([{ parent: 'a', child: 'c' }])
})

test('the original card waits for the last cards of the plan', () => {
  expect(lastCards(split)).toEqual(['c'])
  expect(lastCards(withoutLink(split, { parent: 'b', child: 'c' }))).toEqual(['b', 'c'])
})

test('a new card gets a unique key', () => {
  const { draft, key } = withNewCard(withNewCard(split).draft)
  expect(draft.cards.map((card) => card.key)).toEqual(['a', 'b', 'c', 'new-4', 'new-5'])
  expect(faultOf(draft)).toEqual({ card: 'new-4', fault: 'noTitle' })
  expect(key).toBe('new-5')
})

test('no sequence of edits creates a cycle or a dependency on an unknown card', () => {
  const step = fc.record({
    kind: fc.constantFrom('link', 'unlink', 'remove', 'add'),
    from: fc.nat(6),
    to: fc.nat(6),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let draft: PlanDraft = split
      for (const { kind, from, to } of steps) {
        const [parent, child] = [draft.cards[from]?.key ?? 'a', draft.cards[to]?.key ?? 'c']
        if (kind === 'link') draft = withLink(draft, { parent, child })
        else if (kind === 'unlink') draft = withoutLink(draft, { parent, child })
        else if (kind === 'remove') draft = withoutCard(draft, parent)
        else draft = withNewCard(draft).draft
      }
      const keys = draft.cards.map(({ key }) => key)
      expect(new Set(keys).size).toBe(keys.length)
      for (const { after } of draft.cards) for (const key of after) expect(keys).toContain(key)
      expect(findCycle(new Map(draft.cards.map(({ key, after }) => [key, [...after]])))).toBeNull()
    }),
    { numRuns: 60 },
  )
})

test('a plan without cards, or with too many checks, is not sent', () => {
  expect(faultOf({ ...split, cards: [] })).toEqual({ card: null, fault: 'noCards' })
  const many = Array.from({ length: 9 }, (_, at) => `check ${at}`)
  expect(faultOf(withCard(split, 'c', { checks: many }))).toEqual({ card: 'c', fault: 'manyChecks' })
  expect(faultOf(split)).toBeNull()
})

test('a refusal of the server is shown at its card', () => {
  expect(refusedCard(split, 'plan.cards.1.title')).toBe('b')
  expect(refusedCard(split, 'plan')).toBeNull()
})

test('a plan for an older text of the card is recognised', () => {
  expect(hasMoved(split, IDEA)).toBe(false)
  expect(hasMoved(split, { ...IDEA, body: '' })).toBe(false)
  expect(hasMoved(split, { ...IDEA, body: 'More' })).toBe(true)
})

test('a stored plan can be read, and a plan of an unknown version is ignored', () => {
  expect(readDraft(JSON.stringify(split))).toEqual(split)
  expect([readDraft(null), readDraft('{'), readDraft('{"plan":{"kind":"other"}}')]).toEqual([null, null, null])
})

test('a failure of the model has a kind and a usage, and other errors have neither', () => {
  const usage = { model: 'm', inputTokens: 5, outputTokens: null, costUsd: 0.1 }
  const failed = new ClientError('model_unavailable', 'Late', { status: 503, details: { failure: 'timed_out', usage } })
  expect([failureKind(failed), failureUsage(failed)]).toEqual(['timed_out', usage])
  const lost = new ClientError('server_unreachable', 'Lost', { status: null })
  expect([failureKind(lost), failureUsage(lost)]).toEqual(['other', null])
})
