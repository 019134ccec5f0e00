// No dispatcher stays: `muster dispatch` is started again and again, as cron does it, each time as a process of its own.
import { describe, expect, test } from 'vitest'
import { groupMembers } from '../../src/workers/group.ts'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { ENGINES } from '../helpers/stores.ts'
import { WAITS_ONCE, begin, processes, shortLease } from './living.ts'

type Begun = Awaited<ReturnType<typeof begin>>

/** The agent works on; its supervisor does nothing any more. */
async function beginAndHang(home: TestHome, ...flags: string[]): Promise<Begun> {
  const begun = await begin(home, WAITS_ONCE, ...flags)
  process.kill(begun.supervisor, 'SIGSTOP')
  return begun
}

async function outcomesAfterPasses(home: TestHome, hung: readonly Begun[]): Promise<unknown> {
  const store = await home.store()
  const found = () => Promise.all(hung.map(async ({ run }) => (await store.run(run.id))?.outcome ?? null))
  await home.until('the runs are over', async () => {
    expect((await home.muster('dispatch')).code).toBe(0)
    return !(await found()).includes(null)
  })
  for (const { key } of hung) expect(groupMembers(processes, key)).toEqual([])
  return found()
}

describe.each(ENGINES)('separate passes (%s)', (engine) => {
  test('end overdue and reclaimed runs of a hung supervisor', async () => {
    const home = makeTestHome(engine)
    Object.assign(home.env, { MUSTER_TAKE_OVER_MS: '200', MUSTER_INTENT_WAIT_MS: '0' })
    const late = await beginAndHang(home, '--max-runtime', '10s')
    const reclaimed = await beginAndHang(home)
    expect((await home.muster('reclaim', reclaimed.card.id)).code).toBe(75)
    expect(await outcomesAfterPasses(home, [late, reclaimed])).toEqual(['timed_out', 'reclaimed'])
  })

  test('end a supervisor whose lease is over', async () => {
    const home = makeTestHome(engine)
    await home.create('makes the board', '--assignee', 'nobody')
    await home.shrink(shortLease(engine))
    expect(await outcomesAfterPasses(home, [await beginAndHang(home)])).toEqual(['interrupted'])
  })
})
