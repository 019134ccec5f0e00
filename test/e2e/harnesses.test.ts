// Tests harnesses with real processes. Programs with the names of the real CLIs, first on the PATH, replay recorded
// output (test/fixtures/recordings).
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { appeared } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { adapter as claude } from '../../src/harnesses/claude.ts'
import { CLIS, RECORDED, addCliAgent, makeFixtureCliHome } from '../helpers/fixture-clis.ts'
import type { FixtureCli } from '../helpers/fixture-clis.ts'
import { summaryOf, linesOf } from '../harnesses/recordings.ts'
import { isGone } from '../helpers/run-cards.ts'

/** Creates a card that has its own agent and account. */
async function createCliCard(
  home: TestHome,
  cli: FixtureCli,
  words: readonly string[],
  front = '',
  ...flags: string[]
): Promise<TaskId> {
  const name = `${cli}-${words.join('-').replaceAll(/[^a-z0-9]+/g, '-')}`
  addCliAgent(home, name, { cli, account: name, words, front })
  return (await home.create('replayed', '--assignee', name, '--body', 'Do it.', ...flags)).id
}

const inputOf = (home: TestHome, id: TaskId, turn: number) =>
  JSON.parse(readFileSync(home.workspace(id, `told.${turn}.json`), 'utf8')) as { argv: string[]; stdin: string }

test('an agent without a verdict is asked again and completes', async () => {
  const home = makeFixtureCliHome({ MUSTER_WORKSPACE_STAYS_MS: '600000' })
  const cards = await Promise.all(CLIS.map((cli) => createCliCard(home, cli, ['replay:nudge'])))
  await home.dispatch('--wait')
  for (const [at, id] of cards.entries()) {
    const cli = CLIS[at] ?? ''
    const { status, result, events, runs } = await home.show(id)
    expect([cli, status, result]).toEqual([cli, 'done', 'did it after nudge'])
    expect(events.filter(({ kind }) => kind === 'turn_started')).toMatchObject([{ data: { cause: 'no_verdict' } }])
    expect(runs).toMatchObject([{ outcome: 'completed', exitCode: 0, usage: { outputTokens: expect.any(Number) } }])
    const [run] = runs
    // The run has the usage of both turns, and never the cost of only one turn.
    expect(run?.usage?.outputTokens).toBeGreaterThanOrEqual(60)
    const session = /"(?:session_id|thread_id|sessionID)": ?"([^"]+)"/.exec(linesOf(`${cli}/nudge`).join('\n'))?.[1]
    expect(inputOf(home, id, 1).stdin).toContain('Do it.')
    expect(inputOf(home, id, 2)).toMatchObject({
      argv: expect.arrayContaining([session]),
      stdin: expect.stringContaining('without a verdict'),
    })
  }
})

test('broken and unknown lines are logged and change nothing', async () => {
  const home = makeFixtureCliHome()
  const cards = await Promise.all(CLIS.map((cli) => createCliCard(home, cli, ['replay:success', 'with:noise'])))
  await home.dispatch('--wait')
  for (const id of cards) {
    const { status, runs } = await home.show(id)
    expect(status).toBe('done')
    expect(runs).toMatchObject([{ outcome: 'completed', usage: { inputTokens: expect.any(Number) } }])
    expect(readFileSync(runs[0]?.logPath ?? '', 'utf8')).toContain('news.from.tomorrow')
  }
})

const FIVE_MINUTES = 300_000
const DAY_MS = 86_400_000

test('the cause of a failure decides the state of its card and account', async () => {
  const home = makeFixtureCliHome({ MUSTER_QUOTA_WAIT_MS: '300' })
  const cases = ['failure', 'auth', 'rate-limited', 'rate-limited-until'] as const
  const castAll = (cli: FixtureCli): Promise<TaskId[]> =>
    Promise.all(cases.map((name) => createCliCard(home, cli, [`replay:${name}`], '', '--max-retries', '1')))
  const cards = await Promise.all(RECORDED.map(castAll))
  const before = Date.now()
  await home.dispatch('--wait')
  const store = await home.store()
  for (const [at, cli] of RECORDED.entries()) {
    const told = await Promise.all(
      (cards[at] ?? []).map(async (id) => {
        const { status, consecutiveFailures, runs, lastError } = await home.show(id)
        return { cli, status, consecutiveFailures, outcomes: runs.map(({ outcome }) => outcome), lastError }
      }),
    )
    const uncounted = { cli, status: 'ready', consecutiveFailures: 0 }
    expect(told).toMatchObject([
      { cli, status: 'blocked', outcomes: ['crashed'], lastError: expect.stringContaining('the request is not valid') },
      { ...uncounted, outcomes: ['interrupted'] },
      { ...uncounted, outcomes: ['rate_limited'] },
      { ...uncounted, outcomes: ['rate_limited'] },
    ])
    const [failed, refused, limited, until] = await Promise.all(
      cases.map((name) => store.account(`${cli}-replay-${name}`)),
    )
    expect(failed?.pauseCause ?? null).toBeNull()
    expect(refused).toMatchObject({ pauseCause: 'auth', pausedUntil: null })
    expect(limited).toMatchObject({ pauseCause: 'quota', strikes: 1 })
    expect(limited?.pausedUntil).toBeGreaterThanOrEqual(before + FIVE_MINUTES)
    expect(until).toMatchObject({ pauseCause: 'quota', strikes: 1 })
    // Claude and Codex report the reset time, and the board uses it.
    const isNamed = cli === 'claude' || cli === 'codex'
    expect((until?.pausedUntil ?? 0) - before > DAY_MS).toBe(isNamed)
  }
})

test('a nested agent cannot use the tools of its parent', async () => {
  const home = makeFixtureCliHome({ MUSTER_WORKSPACE_STAYS_MS: '600000' })
  const clis = ['opencode', 'gemini', 'hermes'] as const
  const cards = await Promise.all(clis.map((cli) => createCliCard(home, cli, ['replay:success', 'with:nested'])))
  await home.dispatch('--wait')
  for (const id of cards) {
    expect(await home.show(id)).toMatchObject({ status: 'done' })
    expect(JSON.parse(readFileSync(home.workspace(id, 'nested.json'), 'utf8'))).toMatchObject({
      answer: { result: { serverInfo: { name: 'muster' } } },
      code: 4,
      says: expect.stringContaining('not to the processes that it starts'),
    })
  }
})

test('Muster removes a line that OpenCode adds to its settings', async () => {
  const home = makeFixtureCliHome()
  const project = mkdtempSync(join(tmpdir(), 'muster-project-'))
  onTestFinished(() => rmSync(project, { recursive: true }))
  const settings = [join(project, 'opencode.json'), join(home.user, '.config/opencode/opencode.json')]
  const text = '{ "instructions": ["docs/*.md"] }\n'
  for (const path of settings) {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
  }
  const words = ['replay:nudge', 'with:schema', 'with:nested', 'then:hang']
  const id = await createCliCard(home, 'opencode', words, '', '--workspace', `dir:${project}`)
  await home.dispatch()
  await home.until('it has begun', () => appeared(join(project, 'hangs')))
  await home.until('the files are restored', () => settings.every((path) => readFileSync(path, 'utf8') === text))
  await home.runInline('stop', id)
})

test('no process remains of an agent that hangs or leaves a child', async () => {
  // The grace period is long, because a busy machine may need seconds until a program has printed that it ignores the
  // signal.
  const home = makeFixtureCliHome({ MUSTER_WORKSPACE_STAYS_MS: '600000', MUSTER_TERMINATE_GRACE_MS: '3000' })
  // All harnesses end a hung program in the same way. Each program in this test ignores the signal.
  const hangs = await createCliCard(home, 'claude', ['replay:nudge', 'then:hang'], 'maxRuntime: 3s\n')
  const deaf = await Promise.all(CLIS.map((cli) => createCliCard(home, cli, ['replay:nudge', 'then:deaf'])))
  const leaks = await Promise.all(CLIS.map((cli) => createCliCard(home, cli, ['replay:success', 'then:leak'])))
  await home.setBoard({ failureLimit: 1 })
  await home.dispatch()
  for (const id of deaf) await home.until('it hangs', () => appeared(home.workspace(id, 'hangs')))
  expect((await home.runInline('stop', ...deaf)).code).toBe(0)
  for (const id of [hangs, ...leaks])
    await home.until('its run is over', async () => (await home.show(id)).currentRunId === null)
  expect((await home.show(hangs)).runs).toMatchObject([{ outcome: 'timed_out' }])
  for (const id of deaf) {
    const { runs } = await home.show(id)
    expect(runs).toMatchObject([{ outcome: 'stopped' }])
    expect(readFileSync(runs[0]?.logPath ?? '', 'utf8')).toContain('deaf\n')
  }
  for (const id of leaks) {
    expect(await home.show(id)).toMatchObject({ status: 'done', runs: [{ outcome: 'completed' }] })
    expect(isGone(Number(readFileSync(home.workspace(id, 'leaked'), 'utf8')))).toBe(true)
  }
})

test('a run keeps its usage from before its supervisor was killed', async () => {
  const home = makeFixtureCliHome({ MUSTER_WORKSPACE_STAYS_MS: '600000' })
  const id = await createCliCard(home, 'claude', ['replay:nudge', 'then:hang'])
  await home.dispatch()
  await home.until('it has spent something', () => appeared(home.workspace(id, 'hangs')))
  process.kill((await home.liveRun(id)).supervisor, 'SIGKILL')
  const run = await home.until('its run is closed', async () => {
    await home.muster('dispatch', '--max', '0')
    return (await home.show(id)).runs.find(({ endedAt }) => endedAt !== null) ?? null
  })
  const { outcome, usage } = run
  expect({ outcome, usage }).toEqual({ outcome: 'interrupted', usage: summaryOf(claude, 'claude/nudge').usage })
  expect(usage?.costUsd).toBeGreaterThan(0)
})

test('`agents check` starts the board tools once as a test', async () => {
  const home = makeFixtureCliHome()
  expect((await home.muster('agents', 'check')).stdout).toMatch(/\n✓ Board tools work: (?:[5-9]|10) for a worker\.\n$/)
})

test.runIf(process.platform === 'linux')("50 MB of output barely increase the supervisor's memory", async () => {
  const home = makeFixtureCliHome()
  const quiet = await Promise.all(RECORDED.map((cli) => createCliCard(home, cli, ['replay:success', 'then:hang'])))
  const loud = await Promise.all(
    RECORDED.map((cli) => createCliCard(home, cli, ['replay:success', `with:${50 * 1024 ** 2}`, 'then:hang'])),
  )
  await home.dispatch()
  const peak = async (id: TaskId, heardBytes: number): Promise<number> => {
    const { supervisor } = await home.liveRun(id)
    const read = (file: string, name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${supervisor}/${file}`, 'utf8'))?.[1])
    await home.until('it hangs', () => appeared(home.workspace(id, 'hangs')))
    await home.until('the supervisor has read all of it', () => read('io', 'rchar') > heardBytes)
    return read('status', 'VmHWM') / 1024
  }
  for (const [at, cli] of RECORDED.entries()) {
    const before = await peak(quiet[at] as TaskId, 0)
    const after = await peak(loud[at] as TaskId, 50 * 1024 ** 2)
    expect([cli, after - before < 32 ? 'little' : after - before]).toEqual([cli, 'little'])
  }
  await Promise.all([...quiet, ...loud].map((id) => home.runInline('stop', id)))
})
