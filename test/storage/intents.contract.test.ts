import { expect, it } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import { card, runOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

describeStores(
  'a person’s command on a live run',
  (open) => {
    it('an intent of a person overrides the verdict, and the verdict is recorded', async () => {
      const desk = await Desk.open(await open())
      const verbs = [
        ['complete', { runId: runOf('w'), summary: 'Good enough' }, 'completed', 'done'],
        ['block', { runId: runOf('w'), reason: 'wait' }, 'blocked', 'blocked'],
        ['archive', {}, 'stopped', 'archived'],
        ['schedule', { at: null }, 'stopped', 'scheduled'],
        ['reclaim', {}, 'reclaimed', 'ready'],
        ['stop', { reason: 'enough' }, 'stopped', 'ready'],
        ['delete', {}, 'stopped', 'ready'],
      ] as const
      for (const [verb, extra, outcome, status] of verbs) {
        const claimed = await desk.run(await desk.card(verb))
        const { task, runId } = claimed
        unwrap(await desk.verdict(claimed, { kind: 'request_review', summary: 'The worker’s own' }))
        const answer = await desk.ok(verb, { task, ...extra })
        expect(answer).toMatchObject({ status: 'running', pending: true, runId })
        expect(await desk.runRow(runId)).toMatchObject({ intent: { verb, by: 'ada' }, endedAt: null })
        expect(await desk.lastEvent(task)).toMatchObject({ kind: 'intent_recorded', data: { verb } })
        expect(await desk.settle(claimed)).toMatchObject({ outcome, status })
        const row = await desk.task(task)
        expect(row).toMatchObject({ status, currentRunId: null, held: verb === 'stop' })
        expect(row.deletedAt !== null).toBe(verb === 'delete')
        const late = (await desk.events(task)).filter((event) => event.kind === 'late_result')
        expect(late).toMatchObject([{ data: { content: { summary: 'The worker’s own' } } }])
      }
      expect(await desk.store.run(runOf('w'))).toBeNull()
    })

    it('an `approve` during a live review overrides an earlier `stop`', async () => {
      const desk = await Desk.open(await open(), { reviewer: 'critic' })
      await desk.card('a')
      await desk.ok('request_review', { task: card('a'), runId: runOf('x') })
      const review = await desk.run(card('a'), { agent: 'critic' })
      await desk.ok('stop', { task: card('a') })
      await desk.ok('approve', { task: card('a'), runId: runOf('y'), summary: 'Fine' })
      expect(await desk.settle(review)).toMatchObject({ outcome: 'completed', status: 'done' })
      expect((await desk.lastEvent(card('a'))).kind).toBe('approved')
    })

    it('`reclaim` can assign another agent, and resets the failures', async () => {
      const desk = await Desk.open(await open(), { retryBaseMs: 0 })
      await desk.card('a')
      await desk.settle(await desk.run(card('a')), { ending: { how: 'timed_out' } })
      const claimed = await desk.run(card('a'))
      await desk.ok('reclaim', { task: card('a'), assignee: 'writer' })
      await desk.settle(claimed)
      expect(await desk.task(card('a'))).toMatchObject({ assignee: 'writer', consecutiveFailures: 0, status: 'ready' })
    })

    it('assigning a running card or requesting its review is refused', async () => {
      const desk = await Desk.open(await open())
      await desk.run(await desk.card('a'))
      expect(await desk.refusedQuietly('assign', { task: card('a'), assignee: 'writer' })).toBe('run_live')
      expect(await desk.refusedQuietly('request_review', { task: card('a'), runId: runOf('x') })).toBe('run_live')
    })
  },
  { inThread: true },
)
