import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { unwrap } from '../../../src/core/command.ts'
import { BoardError } from '../../../src/core/errors.ts'
import type { RunId, TaskId } from '../../../src/core/ids.ts'
import type { Fence } from '../../../src/core/run.ts'
import type { LeaderContext } from '../../../src/dispatcher/dispatch-context.ts'
import { takeLeadership } from '../../../src/dispatcher/leadership/leadership.ts'
import type { Leadership } from '../../../src/dispatcher/leadership/leadership.ts'
import { recover } from '../../../src/dispatcher/recovery/recover.ts'
import { RunWatch } from '../../../src/dispatcher/recovery/run-watch.ts'
import type { Store } from '../../../src/storage/store.ts'
import { newRunId } from '../../../src/util/mint.ts'
import { monotonicMs } from '../../../src/util/monotonic.ts'
import type { Host } from '../../../src/processes/identity.ts'
import { noteTurn } from '../../../src/runs/files/result-file-reader.ts'
import { makeRunDirectory } from '../../../src/runs/files/run-directory.ts'
import type { RunDirectory } from '../../../src/runs/files/run-directory.ts'
import { sealed } from '../../../src/runs/files/sealed-line.ts'
import { noteSupervisor } from '../../../src/supervisor/start/started-supervisor.ts'
import { writeTicket } from '../../../src/supervisor/start/ticket.ts'
import { clockwork, identity, person } from '../../helpers/sample.ts'
import { linesOf } from '../../harnesses/recordings.ts'
import { tableOf } from '../../processes/process-table.ts'
import { hostCalled, openDispatch, storeWith } from '../dispatch-context.ts'
import type { TestDispatch } from '../dispatch-context.ts'

const HOUR = 3_600_000

/** Registers a run on another machine. */
async function runElsewhere({ store }: TestDispatch, task: TaskId, machine: string): Promise<RunId> {
  const address = { board: 'default', actor: clockwork } as const
  const own = identity(100, machine)
  const leadership = { machine, tokenHash: 'lead', identity: own, leaseMs: 60_000 }
  unwrap(await store.decide({ ...address, verb: 'lead_dispatch', input: leadership }))
  const runId = newRunId()
  const fence = { runId, tokenHash: 'claim' }
  const claim = { task, ...fence, agent: 'shell', machine, dispatcher: own, dispatcherTokenHash: 'lead' }
  unwrap(await store.decide({ ...address, verb: 'claim', input: claim }))
  const register = { task, fence, identity: own, logPath: null, workspacePath: null }
  unwrap(await store.decide({ ...address, verb: 'register', input: register }))
  return runId
}

/** Makes a dispatcher that has not observed any run yet. */
const freshDispatcher = ({ context }: TestDispatch): LeaderContext => ({
  ...context,
  leadership: { ...context.leadership, runWatch: new RunWatch('boot-1') },
})

test('a run of another machine is interrupted when its lease has expired', async () => {
  const board = await openDispatch()
  const [card] = (await board.create(1)) as [TaskId]
  const runId = await runElsewhere(board, card, 'a container that is gone')
  expect(await recover(board.context)).toEqual({ settled: [], deferred: [] })

  const { leaseUntil } = (await board.store.run(runId)) ?? {}
  await board.pass((leaseUntil ?? 0) - (await board.store.now()))
  // This dispatcher saw the clock jump, so it trusts no lease for a while. A new dispatcher trusts the lease.
  expect((await recover(board.context)).settled).toEqual([])
  expect((await recover(freshDispatcher(board))).settled).toMatchObject([
    { id: card, runId, outcome: 'interrupted', status: 'ready' },
  ])
  expect(await board.store.task('default', card)).toMatchObject({ consecutiveFailures: 0 })
  expect((await board.store.run(runId))?.error).toContain('a container that is gone')
})

test('a run that cannot be closed is reported, and other runs are closed', async () => {
  const board = await openDispatch()
  const [bad, good] = (await board.create(2)) as [TaskId, TaskId]
  const badRun = await runElsewhere(board, bad, 'gone')
  await runElsewhere(board, good, 'gone')
  await board.pass(60 * 60 * 1000 - 1)
  const store = storeWith(board.store, {
    run: async (id) => {
      if (id === badRun) throw new Error('torn page')
      return board.store.run(id)
    },
  })
  const { settled, deferred } = await recover({ ...board.context, store })
  expect(settled).toMatchObject([{ id: good, outcome: 'interrupted' }])
  expect(deferred).toEqual([{ id: bad, reason: expect.stringContaining('torn page') }])
})

/** Claims a card for this dispatcher. The supervisor of the run never registers. */
async function claimUnder(leadership: Leadership, store: Store, task: TaskId): Promise<RunId> {
  const by = { dispatcher: leadership.identity, dispatcherTokenHash: leadership.tokenHash, machine: leadership.machine }
  const runId = newRunId()
  const claim = { task, runId, tokenHash: 'claim', agent: 'shell', ...by }
  unwrap(await store.decide({ board: 'default', actor: clockwork, verb: 'claim', input: claim }))
  leadership.runWatch.noteStarted(runId)
  return runId
}

const startDeadline = async ({ store }: TestDispatch, startDeadlineMs: number): Promise<void> =>
  void unwrap(
    await store.decide({
      board: 'default',
      actor: person,
      verb: 'set_board',
      input: { settings: { startDeadlineMs } },
    }),
  )

const leadAnew = async (board: TestDispatch, host: Host): Promise<Leadership> => {
  const leadership = await takeLeadership({
    store: board.store,
    host,
    home: board.context.options.home,
    leaseMs: 3_600_000,
  })
  if ('code' in leadership) throw leadership
  onTestFinished(() => leadership.release())
  return leadership
}

describe('a supervisor that never registered', () => {
  test('an unregistered supervisor counts as a failure if its dispatcher still leads', async () => {
    const board = await openDispatch()
    const [card] = (await board.create(1)) as [TaskId]
    await claimUnder(board.context.leadership, board.store, card)
    await board.pass(30_000)
    expect((await recover(board.context)).settled).toMatchObject([{ id: card, outcome: 'spawn_failed' }])
  })

  test('a claim whose reply was lost does not count as a failure', async () => {
    const board = await openDispatch()
    const [card] = (await board.create(1)) as [TaskId]
    const { leadership } = board.context
    await claimUnder({ ...leadership, runWatch: new RunWatch('boot-1') }, board.store, card)
    await board.pass(30_000)
    expect((await recover(board.context)).settled).toMatchObject([{ id: card, outcome: 'interrupted' }])
    expect(await board.store.task('default', card)).toMatchObject({ consecutiveFailures: 0 })
  })

  test('a missing supervisor does not count as a failure if the store was unreachable', async () => {
    const board = await openDispatch()
    await board.context.leadership.release()
    let isReachable = true
    const store = storeWith(board.store, {
      decide: async (command) => {
        if (!isReachable) throw new BoardError('store_unreachable', 'gone')
        return board.store.decide(command)
      },
    })
    const leadership = await takeLeadership({
      store,
      host: board.context.host,
      home: board.context.options.home,
      leaseMs: 300,
    })
    if ('code' in leadership) throw leadership
    onTestFinished(() => leadership.release())
    const [card] = (await board.create(1)) as [TaskId]
    await claimUnder(leadership, board.store, card)
    isReachable = false
    await board.pass(30_000)
    isReachable = true
    await expect.poll(() => leadership.isCurrent() && leadership.since() > 0).toBe(true)
    const settled = async () => (await recover({ ...board.context, leadership })).settled
    await expect.poll(settled).toMatchObject([{ id: card, outcome: 'interrupted' }])
    expect(await board.store.task('default', card)).toMatchObject({ consecutiveFailures: 0 })
  })

  test('a dead supervisor is noticed before the start deadline', async () => {
    const board = await openDispatch()
    const { leadership, host, options } = board.context
    const [card] = (await board.create(1)) as [TaskId]
    const runId = await claimUnder(leadership, board.store, card)
    await noteSupervisor(await makeRunDirectory(options.home, runId), host, 4242)
    // The dispatcher that started the supervisor waits until it gets the exit status of the supervisor.
    expect((await recover(board.context)).settled).toEqual([])
    leadership.runWatch.noteExit(runId, { code: 1, signal: null })
    expect((await recover(board.context)).settled).toMatchObject([{ id: card, outcome: 'spawn_failed' }])
  })

  test('a supervisor that a signal ended does not count as a failure', async () => {
    const board = await openDispatch()
    const { leadership, host, options } = board.context
    const [card] = (await board.create(1)) as [TaskId]
    const runId = await claimUnder(leadership, board.store, card)
    await noteSupervisor(await makeRunDirectory(options.home, runId), host, 4242)
    leadership.runWatch.noteExit(runId, { code: null, signal: 'SIGTERM' })
    expect((await recover(board.context)).settled).toMatchObject([{ id: card, outcome: 'interrupted' }])
  })

  test('with a start deadline of 0, a live supervisor has unlimited time to register', async () => {
    const host = { ...hostCalled('here'), processes: tableOf([{ pid: process.pid }, { pid: 4242 }]) }
    const board = await openDispatch(host)
    await startDeadline(board, 0)
    const [card] = (await board.create(1)) as [TaskId]
    const { leadership, options } = board.context
    const runId = await claimUnder(leadership, board.store, card)
    await noteSupervisor(await makeRunDirectory(options.home, runId), host, 4242)
    await board.pass(3_599_000)
    expect(
      await recover({ ...board.context, leadership: { ...leadership, runWatch: new RunWatch('boot-1') } }),
    ).toEqual({
      settled: [],
      deferred: [],
    })
    const dead = { ...board.context, host: hostCalled('here') }
    leadership.runWatch.noteExit(runId, { code: 1, signal: null })
    expect((await recover(dead)).settled).toMatchObject([{ id: card, outcome: 'spawn_failed' }])
  })

  test('with a start deadline of 0, a run stays open while its dispatcher lives', async () => {
    const claimant = 4242
    const host = { ...hostCalled('here'), processes: tableOf([{ pid: process.pid }, { pid: claimant }]) }
    const board = await openDispatch(host)
    await startDeadline(board, 0)
    const [card] = (await board.create(1)) as [TaskId]
    const { leadership } = board.context
    await claimUnder({ ...leadership, identity: { ...leadership.identity, pid: claimant } }, board.store, card)
    expect((await recover(board.context)).settled).toEqual([])
    const gone = { ...board.context, host: hostCalled('here') }
    expect((await recover(gone)).settled).toMatchObject([{ id: card, outcome: 'interrupted' }])
  })

  test('a missing supervisor does not count as a failure if another dispatcher leads now', async () => {
    const board = await openDispatch()
    const [card] = (await board.create(1)) as [TaskId]
    const claimant = { ...board.context.leadership, identity: { ...board.context.leadership.identity, pid: 4242 } }
    await claimUnder(claimant, board.store, card)
    const host = { ...hostCalled('here'), processes: tableOf([{ pid: process.pid }, { pid: 4242 }]) }
    await board.context.leadership.release()
    await (await leadAnew(board, host)).release()
    const leadership = await leadAnew(board, host)
    await board.pass(30_000)
    expect((await recover({ ...board.context, host, leadership })).settled).toMatchObject([
      { id: card, outcome: 'interrupted' },
    ])
    expect(await board.store.task('default', card)).toMatchObject({ consecutiveFailures: 0 })
  })

  test('a missing supervisor does not count as a failure if its dispatcher lost the leadership', async () => {
    const board = await openDispatch()
    const [card] = (await board.create(1)) as [TaskId]
    await claimUnder(board.context.leadership, board.store, card)
    await board.context.leadership.release()
    await board.pass(1)
    const leadership = await leadAnew(board, board.context.host)
    await board.pass(30_000)
    expect((await recover({ ...board.context, leadership })).settled).toMatchObject([
      { id: card, outcome: 'interrupted' },
    ])
  })
})

test('a run with a dead supervisor is closed before its lease expires', async () => {
  const board = await openDispatch(hostCalled('here'))
  const [card] = (await board.create(1)) as [TaskId]
  const address = { board: 'default', actor: clockwork } as const
  const { leadership } = board.context
  const fence = { runId: newRunId(), tokenHash: 'claim' }
  const dispatcher = { dispatcher: leadership.identity, dispatcherTokenHash: leadership.tokenHash, machine: 'here' }
  const claim = { task: card, ...fence, agent: 'shell', ...dispatcher }
  unwrap(await board.store.decide({ ...address, verb: 'claim', input: claim }))
  const register = { task: card, fence, identity: identity(4242, 'here'), logPath: null, workspacePath: null }
  unwrap(await board.store.decide({ ...address, verb: 'register', input: register }))
  expect((await recover(board.context)).settled).toMatchObject([{ id: card, outcome: 'interrupted' }])
})

describe('a run of another boot', () => {
  const afterBoot = (board: TestDispatch, engine: Store['engine']): LeaderContext => {
    const { machine, processes } = hostCalled('here')
    const host = { machine: { ...machine, bootId: 'boot-2' }, processes }
    const leadership = { ...board.context.leadership, runWatch: new RunWatch('boot-2') }
    return { ...board.context, host, leadership, store: storeWith(board.store, { engine }) }
  }
  const register = async (board: TestDispatch): Promise<TaskId> => {
    const [task] = (await board.create(1)) as [TaskId]
    const runId = await claimUnder(board.context.leadership, board.store, task)
    const input = { task, fence: { runId, tokenHash: 'claim' }, identity: identity(4242, 'here'), logPath: null }
    unwrap(await board.store.decide({ board: 'default', actor: clockwork, verb: 'register', input }))
    return task
  }

  test('a run of another boot is closed at once in a SQLite store', async () => {
    const board = await openDispatch()
    const card = await register(board)
    expect((await recover(afterBoot(board, 'sqlite'))).settled).toMatchObject([{ id: card, outcome: 'interrupted' }])
  })

  test('a run of another boot is kept until its lease expires in a PostgreSQL store', async () => {
    const board = await openDispatch()
    const card = await register(board)
    const dispatcher = afterBoot(board, 'postgres')
    expect((await recover(dispatcher)).settled).toEqual([])
    // The lease has expired by the server's clock, but no dispatcher has observed the run for a whole lease yet.
    await board.pass(HOUR - 1)
    expect(
      (await recover({ ...dispatcher, leadership: { ...dispatcher.leadership, runWatch: new RunWatch('boot-2') } }))
        .settled,
    ).toEqual([])
    const seen = new RunWatch('boot-2')
    const open = await board.store.openRuns(null)
    // A time one hour ago by both clocks. If only one clock advanced, the dispatcher would not trust it for a while.
    const at = monotonicMs() - HOUR
    const now = (await board.store.now()) - HOUR
    seen.observe(open, { now, at, seenAt: at, doubtMs: 0, isCurrent: true })
    const watching = { ...dispatcher, leadership: { ...dispatcher.leadership, runWatch: seen } }
    expect((await recover(watching)).settled).toMatchObject([{ id: card, outcome: 'interrupted' }])
  })

  test('a run is not closed if its lease is renewed during the recovery', async () => {
    const board = await openDispatch()
    const card = await register(board)
    const { machine, tokenHash: dispatcherTokenHash } = board.context.leadership
    const [run] = await board.store.openRuns(null)
    const by = { machine, dispatcherTokenHash, lapsed: true }
    const input = { task: card, runId: run?.id ?? newRunId(), by, ending: { how: 'interrupted' } } as const
    const settled = await board.store.decide({ board: 'default', actor: clockwork, verb: 'settle', input })
    expect(settled).toMatchObject({ ok: false, error: { code: 'run_live' } })
  })
})

describe('a lost run whose agent has exited', () => {
  interface Left {
    readonly recording: string
    readonly exitCode: number
    readonly checks?: string[]
    /** Replaces the reset time of the recording, because Muster ignores a time so far in the future. */
    readonly resetsAt?: number
    /** Writes further files of the run. */
    readonly write?: (directory: RunDirectory, fence: Fence) => Promise<void>
  }

  /** Recovers a lost run whose agent has exited and left the output of a real CLI. */
  async function lost(board: TestDispatch, { recording, exitCode, checks = [], resetsAt = 0, write }: Left) {
    const [card] = (await board.create(1, { assignee: 'coder', checks })) as [TaskId]
    const [harness = ''] = recording.split('/')
    const { leadership, options } = board.context
    const fence = { runId: newRunId(), tokenHash: 'claim' }
    const by = { dispatcher: leadership.identity, dispatcherTokenHash: leadership.tokenHash, machine: 'here' }
    const address = { board: 'default', actor: clockwork } as const
    const claim = { task: card, ...fence, agent: 'coder', account: harness, ...by }
    unwrap(await board.store.decide({ ...address, verb: 'claim', input: claim }))
    const directory = await makeRunDirectory(options.home, fence.runId)
    const { home, store, terminateGraceMs, killWaitMs } = options
    const agent = { agent: 'coder', harness, completesOnExit: false, passEnvironment: [] }
    const ticket = { home, store, board: 'default', task: card, run: fence.runId, token: 'none', ...agent }
    await writeTicket(directory, { version: 1, ...ticket, terminateGraceMs, killWaitMs })
    writeFileSync(
      directory.log,
      linesOf(recording)
        .join('\n')
        .replaceAll('1900000000', String(resetsAt / 1000)),
    )
    writeFileSync(directory.exit, sealed('muster-exit', fence, String(exitCode)))
    await write?.(directory, fence)
    const register = {
      task: card,
      fence,
      identity: identity(4242, 'here'),
      logPath: directory.log,
      workspacePath: null,
    }
    unwrap(await board.store.decide({ ...address, verb: 'register', input: register }))
    return { card, ...(await recover(board.context)) }
  }

  describe('with a result file', () => {
    /** Recovers a run whose agent wrote this result file. */
    async function left(
      result: object,
      { before = false, checks = [] as string[], ofRun = null as RunId | null, managed = true } = {},
    ) {
      const board = await openDispatch()
      const workspace = mkdtempSync(join(tmpdir(), 'muster-left-'))
      onTestFinished(() => rmSync(workspace, { recursive: true }))
      const file = join(workspace, 'RESULT.json')
      const { card, settled } = await lost(board, {
        recording: 'claude/success',
        exitCode: 0,
        checks,
        write: async (directory, fence) => {
          if (before) writeFileSync(file, JSON.stringify(result))
          const runId = ofRun ?? fence.runId
          await noteTurn(directory, { ...fence, runId }, { workspace, managed })
          if (!before) writeFileSync(file, JSON.stringify(result))
        },
      })
      return {
        outcome: settled[0]?.outcome,
        task: await board.store.task('default', card),
        fileExists: existsSync(file),
      }
    }

    test('a lost run is settled by its result file, which is archived', async () => {
      expect(await left({ verdict: 'block', reason: 'which colour', kind: 'capability' })).toMatchObject({
        outcome: 'blocked',
        task: { status: 'blocked', blockKind: 'capability', blockReason: 'which colour' },
        fileExists: false,
      })
      expect(await left({ verdict: 'complete', summary: 'made', metadata: { tests: 3 } })).toMatchObject({
        outcome: 'completed',
        task: { status: 'done', result: 'made', metadata: { tests: 3 } },
      })
      expect(await left({ verdict: 'request_review', summary: 'look' })).toMatchObject({ outcome: 'review_requested' })
      expect(await left({ verdict: 'complete' }, { managed: false })).toMatchObject({ fileExists: true })
    })

    test.each([
      ['names artifacts', { verdict: 'complete', artifacts: ['out.txt'] }, {}],
      ['names artifacts in its metadata', { verdict: 'complete', metadata: { artifacts: ['out.txt'] } }, {}],
      ['names a reviewer', { verdict: 'request_review', reviewer: 'boss' }, {}],
      ['completes a card with checks', { verdict: 'complete' }, { checks: ['true'] }],
      ['is older than the turn', { verdict: 'complete' }, { before: true }],
      ['belongs to another run', { verdict: 'complete' }, { ofRun: newRunId() }],
      ['has an unknown verdict', { verdict: 'maybe' }, {}],
      ['has an invalid field', { verdict: 'block', reason: 7 }, {}],
    ])('the card runs again without a counted failure if the result file %s', async (_, result, how) => {
      expect(await left(result, how)).toMatchObject({
        outcome: 'interrupted',
        task: { status: 'ready', consecutiveFailures: 0, protocolViolations: 0 },
      })
    })
  })

  test('a lost run that reached a limit pauses its account without a failure', async () => {
    const board = await openDispatch()
    const resetsAt = Math.ceil((await board.store.now()) / 1000 + 3600) * 1000
    const { card, settled } = await lost(board, { recording: 'claude/rate-limited-until', exitCode: 1, resetsAt })
    expect(settled).toMatchObject([{ outcome: 'rate_limited' }])
    expect(await board.store.task('default', card)).toMatchObject({ consecutiveFailures: 0 })
    expect(await board.store.accounts()).toMatchObject([{ name: 'claude', pauseCause: 'quota', pausedUntil: resetsAt }])
  })

  test('user files that the CLI changed are restored before the run is closed', async () => {
    const board = await openDispatch()
    const path = join(board.context.options.home, 'opencode.json')
    const { settled } = await lost(board, {
      recording: 'opencode/success',
      exitCode: 0,
      write: async (directory) => {
        writeFileSync(directory.kept, JSON.stringify([{ path, was: 'mine', becomes: 'mine and theirs' }]))
        writeFileSync(path, 'mine and theirs')
      },
    })
    expect(settled).toHaveLength(1)
    expect(readFileSync(path, 'utf8')).toBe('mine')
  })

  test('a lost run with a refused login pauses its account until a person resumes it', async () => {
    const board = await openDispatch()
    const { settled } = await lost(board, { recording: 'codex/auth', exitCode: 1 })
    expect(settled).toMatchObject([{ outcome: 'interrupted' }])
    expect(await board.store.accounts()).toMatchObject([{ name: 'codex', pauseCause: 'auth', pausedUntil: null }])
  })

  test('a lost run whose agent crashed counts as crashed, with its last output', async () => {
    const board = await openDispatch()
    const { card, settled } = await lost(board, { recording: 'claude/failure', exitCode: 1 })
    expect(settled).toMatchObject([{ outcome: 'crashed' }])
    expect(await board.store.task('default', card)).toMatchObject({
      consecutiveFailures: 1,
      lastError: 'API Error: 400 the request is not valid',
    })
  })
})
