import { expect, it } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import { card, runOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

describeStores('a person’s word on a live run', (open) => {
  const words = { runId: runOf('w'), reason: 'because' }

  it.each([
    ['complete', { ...words, summary: 'Good enough' }, 'completed', 'done'],
    ['block', words, 'blocked', 'blocked'],
    ['archive', words, 'stopped', 'archived'],
    ['schedule', words, 'stopped', 'scheduled'],
    ['reclaim', words, 'reclaimed', 'ready'],
    ['stop', words, 'stopped', 'ready'],
    ['delete', words, 'stopped', 'ready'],
  ] as const)('%s waits on the run and beats its verdict', async (verb, extra, outcome, status) => {
    const desk = await Desk.open(await open())
    const claimed = await desk.run(await desk.card('a'))
    unwrap(await desk.verdict(claimed, { kind: 'request_review', summary: 'The worker’s own' }))
    const { runId: _unused, ...bare } = extra
    const input = { task: card('a'), ...(verb === 'complete' || verb === 'block' ? extra : bare) } as never
    expect(await desk.ok(verb, input)).toMatchObject({ status: 'running', pending: true, runId: claimed.runId })
    expect(await desk.runRow(claimed.runId)).toMatchObject({ intent: { verb, by: 'ada' }, endedAt: null })
    expect(await desk.lastEvent(card('a'))).toMatchObject({ kind: 'intent_recorded', data: { verb } })
    expect(await desk.settle(claimed)).toMatchObject({ outcome, status })
    const task = await desk.task(card('a'))
    expect(task).toMatchObject({ status, currentRunId: null, held: verb === 'stop' })
    expect(task.deletedAt !== null).toBe(verb === 'delete')
    const late = (await desk.events(card('a'))).filter((event) => event.kind === 'late_result')
    expect(late).toMatchObject([{ data: { content: { summary: 'The worker’s own' } } }])
    expect(await desk.store.run(runOf('w'))).toBeNull()
  })

  it('approve ends a live review; the latest word counts', async () => {
    const desk = await Desk.open(await open(), { reviewer: 'critic' })
    await desk.card('a')
    await desk.ok('request_review', { task: card('a'), runId: runOf('x') })
    const review = await desk.run(card('a'), { agent: 'critic' })
    await desk.ok('stop', { task: card('a') })
    await desk.ok('approve', { task: card('a'), runId: runOf('y'), summary: 'Fine' })
    expect(await desk.settle(review)).toMatchObject({ outcome: 'completed', status: 'done' })
    expect((await desk.lastEvent(card('a'))).kind).toBe('approved')
  })

  it('reclaim may name another agent and clears the slate', async () => {
    const desk = await Desk.open(await open(), { retryBaseMs: 0 })
    await desk.card('a')
    await desk.settle(await desk.run(card('a')), { ending: { how: 'timed_out' } })
    const claimed = await desk.run(card('a'))
    await desk.ok('reclaim', { task: card('a'), assignee: 'writer' })
    await desk.settle(claimed)
    expect(await desk.task(card('a'))).toMatchObject({ assignee: 'writer', consecutiveFailures: 0, status: 'ready' })
  })

  it('assigning or reviewing a live card is refused', async () => {
    const desk = await Desk.open(await open())
    await desk.run(await desk.card('a'))
    expect(await desk.refusedQuietly('assign', { task: card('a'), assignee: 'writer' })).toBe('run_live')
    expect(await desk.refusedQuietly('request_review', { task: card('a'), runId: runOf('x') })).toBe('run_live')
  })
})
