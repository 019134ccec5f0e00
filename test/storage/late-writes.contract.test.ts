// A write from a run that is over changes nothing, says so, and is kept: every verb there is, on both engines.
import { expect, it } from 'vitest'
import type { Actor } from '../../src/core/actor.ts'
import type { VerbName } from '../../src/core/transitions/index.ts'
import { VERBS } from '../../src/core/transitions/index.ts'
import { card, runOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'
import { INPUTS } from './inputs.ts'

/** The run that the inputs speak for. */
const OVER = runOf('r')

/** Verbs that name a run which they would make: with that of another command they would be a resend. */
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

/** A board whose card `a` had that run, while another worker has the card now. */
async function outlived(desk: Desk): Promise<void> {
  await desk.card('a', { checks: ['true'] })
  await desk.settle(await desk.run(card('a'), { runId: OVER }), { ending: { how: 'interrupted' } })
  await desk.run(card('a'))
}

/** Rows that only hold a lock say nothing: a slot without a pause. */
async function readAll(desk: Desk) {
  const { event: events = [], slot = [], ...rows } = await desk.store.exportAll()
  return { events, rows: { ...rows, slot: slot.filter(({ pausedAt }) => pausedAt !== null) } }
}

describeStores('a run that is over', (open) => {
  it.each(['worker', 'orchestrator'] as const)(
    'changes nothing by any command of a %s, and every write is recorded',
    async (kind) => {
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
    },
  )
})
