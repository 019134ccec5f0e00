// Tests ACP agents with real processes. A small agent, built with the official SDK, takes the place of real agents. Its
// arguments are listed in test/fixtures/agents/acp.mjs.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { appeared, makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { isGone } from '../helpers/run-cards.ts'

const AGENT = join(import.meta.dirname, '..', 'fixtures', 'agents', 'acp.mjs')

function makeAcpHome(env: NodeJS.ProcessEnv = {}): TestHome {
  const home = makeTestHome('sqlite')
  Object.assign(home.env, { MUSTER_MACHINE_CAP: '8', MUSTER_WORKSPACE_STAYS_MS: '600000', ...env })
  return home
}

let agentCount = 0

/** Creates a card that has its own agent and account. */
async function createAcpCard(home: TestHome, words: readonly string[], front = ''): Promise<TaskId> {
  agentCount += 1
  const name = `agent-${agentCount}`
  mkdirSync(join(home.home, 'agents'), { recursive: true })
  const args = JSON.stringify([AGENT, ...words])
  writeFileSync(
    join(home.home, 'agents', `${name}.md`),
    `---\nharness: acp\naccount: ${name}\nargs: ${args}\n${front}---\nWork.\n`,
  )
  return (await home.create('spoken with', '--assignee', name, '--body', 'Do it.')).id
}

const logOf = async (home: TestHome, id: TaskId): Promise<string> =>
  readFileSync((await home.show(id)).runs[0]?.logPath ?? '', 'utf8')

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

test('an agent reads its card and completes it through the board tools', async () => {
  const home = makeAcpHome()
  const id = await createAcpCard(home, [])
  await home.dispatch('--wait')
  expect(await home.show(id)).toMatchObject({
    status: 'done',
    result: expect.stringContaining('heard: nothing'),
    runs: [{ outcome: 'completed', exitCode: 0, usage: { inputTokens: 100, outputTokens: 20, costUsd: 0.25 } }],
  })
  const briefing = readFileSync(home.workspace(id, 'told.1.txt'), 'utf8')
  expect(briefing).toContain('Do it.')
  expect(briefing).toContain('Work.')
  const story = (await home.runInline('log', id, '--pretty')).stdout
  expect(story).toContain('kanban_complete')
  expect(story).toContain('I believe this is it.')
  const { logPath } = (await home.show(id)).runs[0] ?? {}
  const nonce = /"MUSTER_NONCE": "([^"]+)"/.exec(readFileSync(join(logPath ?? '', '..', 'mcp.json'), 'utf8'))?.[1]
  expect(nonce).toMatch(/./)
  expect(await logOf(home, id)).not.toContain(nonce)
})

test('an agent without a verdict is asked for one in the same session', async () => {
  const home = makeAcpHome()
  const kept = [['resume'], ['load'], ['load', 'history:late']]
  const cards = await Promise.all(kept.map((how) => createAcpCard(home, ['forget', ...how])))
  const cannot = await createAcpCard(home, ['forget'])
  await home.setBoard({ failureLimit: 1 })
  await home.dispatch('--wait')
  for (const [at, id] of cards.entries()) {
    const { status, result, events, runs } = await home.show(id)
    expect([kept[at], status]).toEqual([kept[at], 'done'])
    // The agent repeats its earlier output, but the result contains that output only once.
    expect(result).toContain('| I believe this is it.')
    expect(events.filter(({ kind }) => kind === 'turn_started')).toMatchObject([{ data: { cause: 'no_verdict' } }])
    expect(runs).toMatchObject([{ outcome: 'completed', usage: { inputTokens: 200, outputTokens: 40 } }])
    expect(readFileSync(home.workspace(id, 'told.2.txt'), 'utf8')).toContain('without a verdict')
    expect((await home.runInline('log', id, '--pretty')).stdout).not.toContain('(before)')
  }
  expect(await logOf(home, cards[2] as TaskId)).toContain('(before)')
  const [run] = (await home.show(cannot)).runs
  expect(run).toMatchObject({ outcome: 'protocol_violation', error: expect.stringContaining('I believe this is it.') })
})

test('an agent that loses its session gets the whole briefing again', async () => {
  const home = makeAcpHome()
  const id = await createAcpCard(home, ['forget', 'load', 'lost'])
  await home.dispatch('--wait')
  const told = readFileSync(home.workspace(id, 'told.2.txt'), 'utf8')
  expect(told).toContain('Do it.')
  expect(told).toContain('without a verdict')
  expect(await logOf(home, id)).toContain('starts a new one: Internal error: no such session')
  expect((await home.show(id)).runs).toMatchObject([{ attempt: 1, outcome: 'completed' }])
})

test('the agent file decides which permission requests are granted', async () => {
  const home = makeAcpHome()
  const asks = ['ask:read:/etc/hosts', 'ask:edit:in.txt', 'ask:edit:/etc/hosts', 'ask:edit', 'ask:execute', 'ask:board']
  const cards = {
    full: await createAcpCard(home, asks, 'permissions: full\n'),
    edit: await createAcpCard(home, asks),
    read: await createAcpCard(home, asks, 'permissions: read\n'),
  }
  await home.dispatch('--wait')
  const answers = async (id: TaskId) =>
    ((await home.show(id)).result ?? '')
      .split(';')[0]
      ?.split(', ')
      .map((text) => text.split(' ').at(-1))
  expect(await answers(cards.full)).toEqual(['once', 'once', 'once', 'once', 'once', 'once'])
  expect(await answers(cards.edit)).toEqual(['once', 'once', 'no', 'no', 'no', 'once'])
  expect(await answers(cards.read)).toEqual(['once', 'no', 'no', 'no', 'no', 'once'])
  expect(await logOf(home, cards.edit)).toContain('/etc/hosts is not in the workspace')
})

test('the cause of a failure decides the state of its card and account', async () => {
  const home = makeAcpHome()
  await home.runInline('init')
  await home.setBoard({ failureLimit: 1 })
  const cards = {
    limit: await createAcpCard(home, ['limit']),
    auth: await createAcpCard(home, ['auth']),
    overflow: await createAcpCard(home, ['overflow']),
    turns: await createAcpCard(home, ['turns']),
    refuse: await createAcpCard(home, ['refuse']),
    dies: await createAcpCard(home, ['dies']),
    future: await createAcpCard(home, ['future']),
  }
  await home.dispatch('--wait')
  const ends = await Promise.all(
    Object.entries(cards).map(async ([name, id]) => {
      const { runs } = await home.show(id)
      return [name, runs[0]?.outcome, runs[0]?.error]
    }),
  )
  expect(ends).toEqual([
    ['limit', 'rate_limited', 'Internal error: Rate limit reached, try again in 2 hours'],
    ['auth', 'interrupted', 'Authentication required (A key): log in to the agent yourself.'],
    ['overflow', 'crashed', 'prompt is too long: 210000 tokens'],
    ['turns', 'timed_out', 'The agent reached its limit of model requests.'],
    ['refuse', 'crashed', 'The agent refused to continue.'],
    ['dies', 'crashed', 'The agent ended (exit 3) before it answered session/prompt. It printed: out of cheese'],
    ['future', 'crashed', 'The agent uses version 7 of the protocol; Muster supports version 1.'],
  ])
  const accountOf = async (id: TaskId) => {
    const { assignee } = await home.show(id)
    return (await (await home.store()).accounts()).find(({ name }) => name === assignee)
  }
  const limited = await accountOf(cards.limit)
  expect(limited?.pauseCause).toBe('quota')
  expect((limited?.pausedUntil ?? 0) - Date.now()).toBeGreaterThan(110 * 60_000)
  expect(await accountOf(cards.auth)).toMatchObject({ pauseCause: 'auth', pausedUntil: null })
})

test('an agent that does not answer fails with its output as the reason', async () => {
  const home = makeAcpHome({ MUSTER_SESSION_WAIT_MS: '3000' })
  const mute = `echo '{"level":"info","msg":"up"}'; exec sleep 600`
  await home.runInline('agents', 'add', 'mute', '--harness', 'acp', '--', 'sh', '-c', mute)
  const { id } = await home.create('not heard', '--assignee', 'mute')
  await home.dispatch('--wait')
  expect((await home.show(id)).runs).toMatchObject([
    {
      outcome: 'crashed',
      error:
        'The agent did not answer initialize within 3 s. It may not be an ACP agent: check the args in its agent file. It printed: {"level":"info","msg":"up"}',
    },
  ])
})

test('a run whose program is not an ACP agent fails with a clear reason', async () => {
  const home = makeAcpHome()
  await home.runInline('init')
  await home.setBoard({ failureLimit: 1 })
  const programs = {
    cat: 'The program is not an ACP agent: it does not know the request initialize. Check the args in its agent file.',
    true: 'The agent ended (exit 0) before it answered initialize. It may not be an ACP agent: check the args in its agent file.',
    'echo hello':
      'The agent ended (exit 0) before it answered initialize. It may not be an ACP agent: check the args in its agent file. It printed: hello',
  }
  const ids: TaskId[] = []
  for (const line of Object.keys(programs)) {
    const [name = ''] = line.split(' ')
    await home.runInline('agents', 'add', `x-${name}`, '--harness', 'acp', '--', ...line.split(' '))
    ids.push((await home.create('spoken with', '--assignee', `x-${name}`)).id)
  }
  await home.dispatch('--wait')
  const runs = await Promise.all(ids.map(async (id) => (await home.show(id)).runs[0]))
  expect(runs.map((run) => run?.error)).toEqual(Object.values(programs))
  expect(runs.map((run) => run?.outcome)).toEqual(['crashed', 'crashed', 'crashed'])
})

test('plain text and unknown messages are logged and change nothing', async () => {
  const home = makeAcpHome()
  const id = await createAcpCard(home, ['greet', 'unknown'])
  await home.dispatch('--wait')
  expect(await home.show(id)).toMatchObject({ status: 'done', runs: [{ outcome: 'completed', attempt: 1 }] })
  const log = await logOf(home, id)
  expect(log).toContain('Welcome to the agent!\n')
  expect(log).toContain('news_from_tomorrow')
})

test('a run whose agent never starts its tools fails with a clear reason', async () => {
  const home = makeAcpHome()
  await home.runInline('init')
  await home.setBoard({ failureLimit: 1 })
  const id = await createAcpCard(home, ['no-tools', 'resume'])
  await home.dispatch('--wait')
  const { runs, events } = await home.show(id)
  expect(runs[0]).toMatchObject({
    outcome: 'protocol_violation',
    error: expect.stringContaining("never started the board's tools"),
  })
  expect(events.filter(({ kind }) => kind === 'turn_started')).toHaveLength(2)
})

test('a model that the agent does not offer is reported in the log', async () => {
  const home = makeAcpHome()
  const offered = await createAcpCard(home, ['models'], 'model: large\n')
  const before = await createAcpCard(home, ['old-models'], 'model: large\n')
  const other = await createAcpCard(home, ['models'], 'model: huge\neffort: high\n')
  await home.dispatch('--wait')
  const model = async (id: TaskId) => /model: ([^;]+)/.exec((await home.show(id)).result ?? '')?.[1]
  expect(await Promise.all([offered, before, other].map(model))).toEqual(['large', 'large', 'its own'])
  const log = await logOf(home, other)
  expect(log).toContain('does not offer the model huge')
  expect(log).toContain('does not offer the effort high')
})

test('a stopped agent gets a cancel request and leaves no process behind', async () => {
  const home = makeAcpHome({ MUSTER_TERMINATE_GRACE_MS: '10000' })
  const id = await createAcpCard(home, ['hang'])
  await home.dispatch()
  await home.until('it hangs', () => appeared(home.workspace(id, 'hangs')))
  const pids = readFileSync(home.workspace(id, 'hangs'), 'utf8').split(' ').map(Number)
  await home.runInline('stop', id)
  await home.until('the run is over', async () => (await home.show(id)).currentRunId === null)
  expect(pids).toHaveLength(2)
  expect(pids.filter((pid) => !isGone(pid))).toEqual([])
  expect((await home.show(id)).runs).toMatchObject([{ outcome: 'stopped' }])
  expect(readdirSync(join(home.workspace(id, 'hangs'), '..'))).toContain('cancelled')
  expect(await logOf(home, id)).toContain('# muster: the turn was ended before the agent answered session/prompt\n')
})

test.runIf(process.platform === 'linux')(
  'the memory of client and supervisor grows by less than half of the output',
  async () => {
    const home = makeAcpHome()
    const megabytes = 200
    const cards = [
      await createAcpCard(home, ['hang']),
      await createAcpCard(home, [`flood:${megabytes * 1024 ** 2}`, 'hang']),
    ]
    await home.dispatch()
    const peaks = async (id: TaskId) => {
      await home.until('it hangs', () => appeared(home.workspace(id, 'hangs')))
      const { supervisor, directory } = await home.liveRun(id)
      const client = readdirSync('/proc').find((pid) => commandOf(pid).endsWith(`acp.js ${directory.path}/acp.json `))
      const peak = (pid: string): number =>
        Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
      return [peak(client ?? ''), peak(String(supervisor))]
    }
    const [quiet = [], loud = []] = await Promise.all(cards.map(peaks))
    const growth = loud.map((peak, at) => peak - (quiet[at] ?? 0))
    expect(growth.filter((more) => !(more < megabytes / 2))).toEqual([])
    await Promise.all(cards.map((id) => home.runInline('stop', id)))
  },
)

test('a card whose program is missing waits and uses no attempt', async () => {
  const home = makeAcpHome()
  await home.runInline('agents', 'add', 'ghost', '--harness', 'acp', '--', 'no-such-program', 'acp')
  const { id } = await home.create('never spoken with', '--assignee', 'ghost')
  await home.dispatch('--wait')
  expect(await home.show(id)).toMatchObject({ status: 'ready', runs: [] })
  expect((await home.runInline('why', id)).stdout).toContain('runs no-such-program, which is not installed here')
})
