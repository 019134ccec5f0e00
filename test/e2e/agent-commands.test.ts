// Tests the commands in an agent's file: the setup of each new workspace, and the checks for each card of the agent.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { BIN, appeared, makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { writeAgent } from '../helpers/run-cards.ts'

const writeShellAgent = (home: TestHome, name: string, front: readonly string[]): void =>
  writeAgent(home, name, ['harness: shell', ...front].join('\n'))

const cardOf = async (home: TestHome, name: string, body: string, ...flags: string[]): Promise<TaskId> =>
  (await home.create('a card', '--assignee', name, '--body', body, ...flags)).id

describe('setup', () => {
  test('a setup runs once per workspace, and a retry skips it', async () => {
    const home = makeTestHome('sqlite')
    writeShellAgent(home, 'builder', [
      'setup:',
      '  - echo preparing; echo once >>setups',
      '  - test "$MUSTER_TASK" && touch ready',
    ])
    const id = await cardOf(
      home,
      'builder',
      'test -e ready && test "$(cat setups)" = once; echo built; test -e go || { touch go; exit 1; }',
    )
    await home.setBoard({ retryBaseMs: 1 })
    await home.dispatch('--wait')
    await home.dispatch('--wait')
    const { status, result, runs } = await home.show(id)
    expect([status, result, runs.map(({ outcome }) => outcome)]).toEqual(['done', 'built', ['crashed', 'completed']])
    const [first, second] = runs.map(({ logPath }) => readFileSync(logPath ?? '', 'utf8'))
    expect(first).toMatch(
      /^\$ echo preparing; echo once >>setups\npreparing\n.*\n# muster: the workspace is set up\nbuilt\n$/,
    )
    expect(second).toBe('built\n')
  })

  test('a setup runs again when the workspace or the setup changes', async () => {
    const home = makeTestHome('sqlite')
    await home.create('first', '--triage')
    await home.setBoard({ retryBaseMs: 1, retryKeepsFiles: false, failureLimit: 5 })
    writeShellAgent(home, 'builder', ['setup: [echo one >>setups]'])
    const id = await cardOf(home, 'builder', 'cat setups; exit 1')
    await home.dispatch('--wait')
    await home.dispatch('--wait')
    await home.setBoard({ retryKeepsFiles: true })
    writeShellAgent(home, 'builder', ['setup: [echo two >>setups]'])
    await home.dispatch('--wait')
    const words = (await home.show(id)).runs.map(({ error }) => error)
    expect(words).toEqual(['exit 1: one', 'exit 1: one', 'exit 1: one\ntwo'])
  })

  test('a setup that fails is recorded as spawn_failed with its last output', async () => {
    const home = makeTestHome('sqlite')
    writeShellAgent(home, 'builder', ['setup: ["true", "echo no network; exit 7"]'])
    const id = await cardOf(home, 'builder', 'echo never', '--max-retries', '1')
    await home.dispatch('--wait')
    expect(await home.show(id)).toMatchObject({
      runs: [{ outcome: 'spawn_failed' }],
      lastError: 'The setup of agent builder failed: echo no network; exit 7 (exit 7): no network',
    })
  })
})

describe('checks', () => {
  const CHECKED = ['checks:', '  - echo looking; test -f good']

  test('the checks of an agent run on every card of the agent', async () => {
    const home = makeTestHome('sqlite')
    writeShellAgent(home, 'builder', CHECKED)
    const good = await cardOf(home, 'builder', 'touch good mine', '--check', 'test -f mine')
    const bad = await cardOf(home, 'builder', 'touch mine', '--check', 'test -f mine', '--max-retries', '1')
    await home.dispatch('--wait')
    expect(await home.show(good)).toMatchObject({ status: 'done', agentChecks: ['echo looking; test -f good'] })
    expect(await home.show(bad)).toMatchObject({
      runs: [{ outcome: 'checks_failed' }],
      lastError: expect.stringContaining('check failed: echo looking; test -f good (exit 1): looking'),
    })
    expect((await home.muster('show', bad)).stdout).toContain('echo looking; test -f good (of agent builder)')
    expect((await home.muster('agents', 'show', 'builder')).stdout).toMatch(/check +echo looking; test -f good/)
  })

  test('`muster check` and `muster complete` also run the checks of the agent', async () => {
    const home = makeTestHome('sqlite')
    writeShellAgent(home, 'builder', CHECKED)
    const id = await cardOf(home, 'builder', 'true', '--max-retries', '1')
    await home.dispatch('--wait')
    const looked = await home.muster('check', id)
    expect([looked.code, looked.stdout]).toEqual([1, expect.stringContaining('test -f good')])
    const refused = await home.muster('complete', id)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('test -f good')])
    expect((await home.show(id)).status).toBe('blocked')
    writeFileSync(home.workspace(id, 'good'), '')
    expect((await home.muster('check', id)).code).toBe(0)
    expect((await home.muster('complete', id)).code).toBe(0)
    expect((await home.show(id)).status).toBe('done')
  })

  test('after an agent file is removed, the last known checks of the agent still apply', async () => {
    const home = makeTestHome('sqlite')
    writeShellAgent(home, 'builder', CHECKED)
    const id = await cardOf(home, 'builder', 'true', '--max-retries', '1')
    await home.dispatch('--wait')
    rmSync(join(home.home, 'agents', 'builder.md'))
    expect((await home.show(id)).agentChecks).toEqual(['echo looking; test -f good'])
    expect((await home.muster('complete', id)).code).toBe(1)
  })

  test('`muster show` inside a run lists the checks of the agent', async () => {
    const home = makeTestHome('sqlite')
    writeShellAgent(home, 'builder', CHECKED)
    const show = `"${process.execPath}" "${BIN}" show "$MUSTER_TASK" | grep 'of agent builder'`
    const id = await cardOf(home, 'builder', `touch good; ${show}`)
    await home.dispatch('--wait')
    expect(await home.show(id)).toMatchObject({ status: 'done', result: expect.stringContaining('test -f good') })
  })

  test("checks that a supervisor's death interrupted run again without a counted failure", async () => {
    const home = makeTestHome('sqlite')
    writeShellAgent(home, 'builder', ['checks: ["touch ../checking; test ! -e ../wait || sleep 600; test -f good"]'])
    const id = await cardOf(home, 'builder', 'touch good')
    mkdirSync(home.workspace(id, '..'), { recursive: true })
    writeFileSync(home.workspace(id, '../wait'), '')
    await home.dispatch()
    await home.until('it is being checked', () => appeared(home.workspace(id, '../checking')))
    const { supervisor } = await home.liveRun(id)
    process.kill(supervisor, 'SIGKILL')
    rmSync(home.workspace(id, '../wait'))
    await home.until('it is done', async () => {
      await home.dispatch('--wait')
      return (await home.show(id)).status === 'done'
    })
    expect((await home.show(id)).runs.map(({ outcome }) => outcome)).toEqual(['interrupted', 'completed'])
  })
})
