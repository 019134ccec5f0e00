// A dispatcher that lives and does nothing: every surface says so.
import { describe, expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { ENGINES } from '../helpers/stores.ts'
import { begun, says, shell, up, WAITS } from './dispatching.ts'

const codesOf = async (home: TestHome, id: TaskId): Promise<string[]> => {
  const { stdout } = await home.say('why', id, '--json')
  return (JSON.parse(stdout) as { reasons: { code: string }[] }).reasons.map(({ code }) => code)
}

const rulesOf = async (home: TestHome): Promise<string[]> => {
  const { stdout } = await home.say('doctor', '--json')
  return (JSON.parse(stdout) as { rule: string }[]).map(({ rule }) => rule)
}

describe.each(ENGINES)('a dispatcher that was stopped (%s)', (engine) => {
  test('why, doctor, create and dispatch --nudge report that it does not respond', async () => {
    const home = makeTestHome(engine)
    await home.say('init')
    const running = up(home)
    await says(home, running, 'Running cards')
    running.child.kill('SIGSTOP')
    const { id } = await shell(home, 'waits', 'true')
    await home.until('it is noticed', async () => (await codesOf(home, id)).includes('dispatcher_hung'))
    expect(await codesOf(home, id)).toEqual(['dispatcher_hung'])
    expect((await home.say('why', id)).stdout).toContain(`kill -9 ${running.child.pid}, then run: muster up`)
    expect(await rulesOf(home)).toEqual(['dispatcher_hung'])
    const created = await home.say('create', 'another', '--assignee', 'shell', '--body', 'true')
    // On a server's store a dispatcher may be anywhere, so create stays silent.
    const notice = engine === 'sqlite' ? `Muster (pid ${running.child.pid}) has not responded since` : ''
    expect(created.stderr).toContain(notice)
    const nudged = await home.muster('dispatch', '--nudge')
    expect([nudged.code, nudged.stderr]).toEqual([1, expect.stringContaining('is not responding')])
    running.child.kill('SIGCONT')
    await home.until('it goes on', async () => (await home.show(id)).status === 'done')
  })

  test('a run that lost supervisor and dispatcher is reported, and muster up recovers it', async () => {
    const home = makeTestHome(engine)
    const { id } = await shell(home, 'lost', WAITS)
    await home.dispatch()
    await begun(home, id)
    expect(await codesOf(home, id)).toEqual(['running'])
    process.kill((await home.liveRun(id)).supervisor, 'SIGKILL')
    await home.until('it is noticed', async () => (await codesOf(home, id))[0] === 'supervisor_lost')
    expect(await codesOf(home, id)).toEqual(['supervisor_lost', 'no_dispatcher'])
    expect(await rulesOf(home)).toEqual(['supervisor_lost'])
    await home.dispatch()
    expect((await home.show(id)).runs[0]?.outcome).toBe('interrupted')
  })
})
