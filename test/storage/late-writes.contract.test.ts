// Tests that a write from an ended run changes nothing, is refused, and is recorded: for every verb, on both engines.
import { expect, it } from 'vitest'
import type { Actor } from '../../src/core/actor.ts'
import type { VerbName } from '../../src/core/transitions/index.ts'
import { VERBS } from '../../src/core/transitions/index.ts'
import { card, runOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'
import { INPUTS } from './inputs.ts'

/** The ended run that the inputs name. */
const OVER = runOf('r')

/**
 * The verbs whose `runId` names a run that they create. With the id of an existing run, such a command would count as
 * repeated.
 */
const MAKES_RUN: readonly VerbName[] = [
  'claim',
  'claim_manual',
  'complete',
  'approve',
  'block',
  'request_review',
  'request_changes',
]

const inputOf = (verb: VerbName): object =>
  MAKES_RUN.includes(verb) ? { ...INPUTS[verb], runId: runOf('n') } : INPUTS[verb]

/** Prepares a board on which the run of card `a` has ended, and another worker has the card now. */
async function outlived(desk: Desk): Promise<void> {
  await desk.card('a', { checks: ['true'] })
  await desk.settle(await desk.run(card('a'), { runId: OVER }), { ending: { how: 'interrupted' } })
  await desk.run(card('a'))
}

/** Returns all rows except slots without a pause, which serve only as locks. */
async function readAll(desk: Desk) {
  const { event: events = [], slot = [], ...rows } = await desk.store.exportAll()
  return { events, rows: { ...rows, slot: slot.filter(({ pausedAt }) => pausedAt !== null) } }
}

describeStores('an ended run', (open) => {
  it.each(['worker', 'orchestrator'] as const)('every late command of a %s is refused and recorded', async (kind) => {
    const desk = await Desk.open(await open())
    await outlived(desk)
    const late: Actor = { kind, name: 'coder', taskId: card('a'), runId: OVER }
    const { events: past, rows: before } = await readAll(desk)
    for (const verb of Object.keys(VERBS) as VerbName[]) {
      const outcome = await desk.do(verb, inputOf(verb), late)
      expect([verb, outcome.ok ? 'accepted' : outcome.error.code]).toEqual([verb, 'run_superseded'])
    }
    const { events: all, rows: after } = await readAll(desk)
    expect(after).toEqual(before)
    const kept = all
      .slice(past.length)
      .map(({ kind: what, runId, data }) => [what, runId, (data as { verb: string }).verb])
    expect(kept).toEqual(Object.keys(VERBS).map((verb) => ['late_result', OVER, verb]))
    expect(JSON.stringify(all.slice(past.length))).not.toMatch(/tokenHash/i)
  })
})
