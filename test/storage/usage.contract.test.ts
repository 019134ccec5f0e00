/** Tests the sums of tokens and cost by agent and day. */
import { expect, it } from 'vitest'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

const usage = (inputTokens: number | null, costUsd: number | null) => ({ inputTokens, outputTokens: 2, costUsd })

describeStores('the usage of runs', (open) => {
  it('usage is summed by agent and day, without runs before the first day', async () => {
    const desk = await Desk.open(await open())
    const run = async (name: string, assignee: string, used: ReturnType<typeof usage> | null): Promise<number> => {
      const claimed = await desk.run(await desk.card(name, { assignee }), { agent: assignee })
      await desk.settle(claimed, { usage: used })
      return (await desk.runRow(claimed.runId)).endedAt ?? 0
    }
    const old = await run('old', 'coder', usage(1000, 9))
    await desk.test.pass(5)
    const first = await run('a', 'coder', usage(10, 0.25))
    await run('b', 'coder', usage(30, null))
    await run('silent', 'coder', null)
    await desk.test.pass(5)
    const second = await run('c', 'critic', usage(null, 0.5))
    expect(await desk.store.usage('main', { days: [old + 1, second], most: 100 })).toEqual([
      { agent: 'coder', day: 0, runs: 2, inputTokens: 40, outputTokens: 4, costUsd: 0.25 },
      { agent: 'critic', day: 1, runs: 1, inputTokens: 0, outputTokens: 2, costUsd: 0.5 },
    ])
    expect(await desk.store.usage('main', { days: [first], most: 1 })).toMatchObject([{ agent: 'critic', day: 0 }])
    expect(await desk.store.usage('other', { days: [0], most: 100 })).toEqual([])
  })
})
