// The harnesses of agent programs, through real processes: programs that print what the real ones printed once
// (test/fixtures/recordings), found on the PATH by the names of the real ones.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { appeared, makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { claudeHarness } from '../../src/workers/harnesses/claude.ts'
import { heardIn, linesOf } from '../workers/harnesses/recordings.ts'
import { isGone } from './living.ts'

const REPLAY = join(import.meta.dirname, '..', 'fixtures', 'clis', 'replay.mjs')
const CLIS = ['claude', 'codex', 'opencode', 'gemini', 'hermes'] as const

/** A home whose user has these programs, and nothing of their own. */
function stage(env: NodeJS.ProcessEnv = {}): TestHome {
  const home = makeTestHome('sqlite')
  const folder = mkdtempSync(join(tmpdir(), 'muster-clis-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const cli of CLIS) symlinkSync(REPLAY, join(folder, cli))
  const PATH = [folder, process.env['PATH']].join(delimiter)
  Object.assign(home.env, { PATH, HOME: folder, MUSTER_MACHINE_CAP: '5', ...env })
  return home
}

/** A card for an agent of its own, who has its own account. */
async function cast(home: TestHome, cli: (typeof CLIS)[number], words: readonly string[], front = ''): Promise<TaskId> {
  const name = `${cli}-${words.join('-').replaceAll(/[^a-z0-9]+/g, '-')}`
  mkdirSync(join(home.home, 'agents'), { recursive: true })
  writeFileSync(
    join(home.home, 'agents', `${name}.md`),
    `---\nharness: ${cli}\naccount: ${name}\nargs: ${JSON.stringify(words)}\n${front}---\nWork.\n`,
  )
  return (await home.create('replayed', '--assignee', name, '--body', 'Do it.')).id
}

const toldIn = (home: TestHome, id: TaskId, turn: number) =>
  JSON.parse(readFileSync(home.workspace(id, `told.${turn}.json`), 'utf8')) as { argv: string[]; stdin: string }

test('who ends a turn without a verdict is asked for it in the same session, and completes', async () => {
  const home = stage({ MUSTER_WORKSPACE_STAYS_MS: '600000' })
  const cards = await Promise.all(CLIS.map((cli) => cast(home, cli, ['replay:nudge'])))
  await home.dispatch('--wait')
  for (const [at, id] of cards.entries()) {
    const cli = CLIS[at] ?? ''
    const { status, result, events, runs } = await home.show(id)
    expect([cli, status, result]).toEqual([cli, 'done', 'did it after nudge'])
    expect(events.filter(({ kind }) => kind === 'turn_started')).toMatchObject([{ data: { cause: 'no_verdict' } }])
    expect(runs).toMatchObject([{ outcome: 'completed', exitCode: 0, usage: { outputTokens: expect.any(Number) } }])
    const [run] = runs
    // What it spent in both turns, and never the cost of one of them alone.
    expect(run?.usage?.outputTokens).toBeGreaterThanOrEqual(60)
    const session = /"(?:session_id|thread_id|sessionID)": ?"([^"]+)"/.exec(linesOf(`${cli}/nudge`).join('\n'))?.[1]
    expect(toldIn(home, id, 1).stdin).toContain('Do it.')
    expect(toldIn(home, id, 2)).toMatchObject({
      argv: expect.arrayContaining([session]),
      stdin: expect.stringContaining('without a verdict'),
    })
  }
})

test('broken and unknown lines stay in the log, and change nothing', async () => {
  const home = stage()
  const cards = await Promise.all(CLIS.map((cli) => cast(home, cli, ['replay:success', 'with:noise'])))
  await home.dispatch('--wait')
  for (const id of cards) {
    const { status, runs } = await home.show(id)
    expect(status).toBe('done')
    expect(runs).toMatchObject([{ outcome: 'completed', usage: { inputTokens: expect.any(Number) } }])
    expect(readFileSync(runs[0]?.logPath ?? '', 'utf8')).toContain('news.from.tomorrow')
  }
})

test('what kept an agent from going on decides what becomes of its card and of its account', async () => {
  const home = stage({ MUSTER_QUOTA_WAIT_MS: '300' })
  const failed = await cast(home, 'claude', ['replay:failure'])
  const refused = await cast(home, 'opencode', ['replay:auth'])
  const limited = await cast(home, 'codex', ['replay:rate-limited'])
  const until = await cast(home, 'claude', ['replay:rate-limited-until'])
  const waits = await cast(home, 'gemini', ['replay:rate-limited'])
  await home.dispatch('--wait')
  const outcome = async (id: TaskId) => {
    const { runs, consecutiveFailures, lastError } = await home.show(id)
    return { outcomes: runs.map((run) => run.outcome), consecutiveFailures, lastError }
  }
  const uncounted = { consecutiveFailures: 0 }
  expect(await outcome(failed)).toMatchObject({ lastError: 'API Error: 400 the request is not valid' })
  expect((await outcome(failed)).outcomes).toContain('crashed')
  expect(await outcome(refused)).toMatchObject({ outcomes: ['interrupted'], ...uncounted })
  expect(await outcome(limited)).toMatchObject({ outcomes: ['rate_limited'], ...uncounted })
  expect(await outcome(until)).toMatchObject({ outcomes: ['rate_limited'], ...uncounted })
  // It would have gone on trying for long.
  expect(await outcome(waits)).toMatchObject({
    outcomes: ['rate_limited'],
    lastError: expect.stringContaining('failed with status 429. Retrying'),
    ...uncounted,
  })
  const accounts = (await (await home.store()).accounts()).map(({ name, pauseCause, pausedUntil }) => ({
    name,
    pauseCause,
    pausedUntil,
  }))
  expect(accounts).toEqual(
    expect.arrayContaining([
      { name: 'opencode-replay-auth', pauseCause: 'auth', pausedUntil: null },
      { name: 'codex-replay-rate-limited', pauseCause: 'quota', pausedUntil: expect.any(Number) },
      { name: 'claude-replay-rate-limited-until', pauseCause: 'quota', pausedUntil: 1_800_000_000_000 },
      { name: 'gemini-replay-rate-limited', pauseCause: 'quota', pausedUntil: expect.any(Number) },
    ]),
  )
})

test('what an agent starts in turn cannot use its tools, though it inherits the way to them', async () => {
  const home = stage({ MUSTER_WORKSPACE_STAYS_MS: '600000' })
  const clis = ['opencode', 'gemini', 'hermes'] as const
  const cards = await Promise.all(clis.map((cli) => cast(home, cli, ['replay:success', 'with:nested'])))
  await home.dispatch('--wait')
  for (const id of cards) {
    expect(await home.show(id)).toMatchObject({ status: 'done' })
    expect(JSON.parse(readFileSync(home.workspace(id, 'nested.json'), 'utf8'))).toMatchObject({
      answer: { result: { serverInfo: { name: 'muster' } } },
      code: 4,
      says: expect.stringContaining('not to what it starts'),
    })
  }
})

test('one that hangs, does not listen or leaves a child is ended, whole', async () => {
  const home = stage({ MUSTER_WORKSPACE_STAYS_MS: '600000' })
  const hangs = await cast(home, 'claude', ['replay:failure', 'then:hang'], 'maxRuntime: 3s\n')
  const deaf = await cast(home, 'codex', ['replay:failure', 'then:deaf'], 'maxRuntime: 3s\n')
  const leaks = await cast(home, 'opencode', ['replay:nudge.2', 'then:leak'])
  await home.shrink({ failureLimit: 1 })
  await home.dispatch('--wait')
  for (const id of [hangs, deaf]) expect((await home.show(id)).runs).toMatchObject([{ outcome: 'timed_out' }])
  const log = readFileSync((await home.show(deaf)).runs[0]?.logPath ?? '', 'utf8')
  expect(log).toContain('deaf\n')
  expect(await home.show(leaks)).toMatchObject({ status: 'done', runs: [{ outcome: 'completed' }] })
  expect(isGone(Number(readFileSync(home.workspace(leaks, 'leaked'), 'utf8')))).toBe(true)
})

test('what an agent had spent when its supervisor was lost is on the run', async () => {
  const home = stage({ MUSTER_WORKSPACE_STAYS_MS: '600000' })
  const id = await cast(home, 'claude', ['replay:nudge', 'then:hang'])
  await home.dispatch()
  await home.until('it has spent something', () => appeared(home.workspace(id, 'hangs')))
  process.kill((await home.liveRun(id)).supervisor, 'SIGKILL')
  const run = await home.until('its run is closed', async () => {
    await home.muster('dispatch', '--max', '0')
    return (await home.show(id)).runs.find(({ endedAt }) => endedAt !== null) ?? null
  })
  const { outcome, usage } = run
  expect({ outcome, usage }).toEqual({ outcome: 'interrupted', usage: heardIn(claudeHarness, 'claude/nudge').usage })
  expect(usage?.costUsd).toBeGreaterThan(0)
})

test('the tools of the board are started once to see whether they answer here', async () => {
  const home = stage()
  expect((await home.muster('agents', 'check')).stdout).toMatch(
    /\n✓ The board's tools answer here: (?:[5-9]|10) for a worker\.\n$/,
  )
})

test.runIf(process.platform === 'linux')('50 MB of output cost the supervisor no memory to speak of', async () => {
  const home = stage()
  const quiet = await cast(home, 'codex', ['replay:success', 'then:hang'])
  const loud = await cast(home, 'codex', ['replay:success', `with:${50 * 1024 ** 2}`, 'then:hang'])
  await home.dispatch()
  const peak = async (id: TaskId, heardBytes: number): Promise<number> => {
    const { supervisor } = await home.liveRun(id)
    const read = (file: string, name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${supervisor}/${file}`, 'utf8'))?.[1])
    await home.until('it hangs', () => appeared(home.workspace(id, 'hangs')))
    await home.until('all of it is heard', () => read('io', 'rchar') > heardBytes)
    return read('status', 'VmHWM') / 1024
  }
  const before = await peak(quiet, 0)
  const after = await peak(loud, 50 * 1024 ** 2)
  expect(after - before).toBeLessThan(32)
  await Promise.all([home.say('stop', quiet), home.say('stop', loud)])
})
