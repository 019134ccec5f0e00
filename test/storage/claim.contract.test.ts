import { expect, it } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { card, clockwork, identity, orchestrator, person, runOf, worker } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

describeStores(
  'a claim',
  (open) => {
    it('a claim opens a run with deadlines and removes the card from its lane', async () => {
      const desk = await Desk.open(await open())
      const id = await desk.card('a', { maxRuntimeMs: 90_000 })
      const input = desk.claimInput(id, { account: 'acme', libVersion: '0.1.0', maxRuntimeMs: 5 })
      const outcome = await desk.do('claim', input, clockwork)
      expect(outcome).toMatchObject({ ok: true, result: { taskId: id, runId: input.runId, attempt: 1, phase: 'work' } })
      const now = outcome.ok ? outcome.now : 0
      expect(await desk.runRow(input.runId)).toMatchObject({
        board: 'main',
        taskId: id,
        attempt: 1,
        phase: 'work',
        kind: 'agent',
        agent: 'coder',
        account: 'acme',
        machine: 'laptop',
        fromStatus: 'ready',
        tokenHash: input.tokenHash,
        claimedBy: 'muster:dispatcher',
        dispatcher: identity(1),
        identity: null,
        startedAt: now,
        startDeadlineAt: now + 30_000,
        leaseUntil: now + 120_000,
        registeredAt: null,
        maxRuntimeMs: 90_000,
        libVersion: '0.1.0',
        endedAt: null,
        outcome: null,
      })
      expect(await desk.task(id)).toMatchObject({
        status: 'running',
        currentRunId: input.runId,
        startedAt: now,
        dueAt: now + 30_000,
      })
      expect(await desk.lastEvent(id)).toEqual({
        kind: 'claimed',
        runId: input.runId,
        data: {
          attempt: 1,
          agent: 'coder',
          machine: 'laptop',
          phase: 'work',
          from: 'ready',
          waitedMs: expect.any(Number),
        },
      })
      expect(await desk.store.laneHead({ board: 'main', agent: 'coder', phase: 'work' }, 10)).toEqual([])
    })

    it('a repeated claim returns the same answer, and another claim is refused', async () => {
      const desk = await Desk.open(await open())
      const id = await desk.card('a')
      const input = desk.claimInput(id)
      const first = await desk.ok('claim', input, clockwork)
      const before = await desk.store.exportAll()
      expect(await desk.ok('claim', input, clockwork)).toEqual(first)
      expect(await desk.store.exportAll()).toEqual(before)
      expect(await desk.refusedQuietly('claim', { ...input, tokenHash: 'another' }, clockwork)).toBe('run_over')
      expect(await desk.refusedQuietly('claim', desk.claimInput(id), clockwork)).toBe('claim_lost')
    })

    it('a claim with the id of an ended run is refused', async () => {
      const desk = await Desk.open(await open())
      const id = await desk.card('a')
      const input = desk.claimInput(id)
      await desk.ok('claim', input, clockwork)
      await desk.settle(
        { task: id, runId: input.runId, fence: input },
        { by: { fence: { runId: input.runId, tokenHash: input.tokenHash } }, ending: { how: 'interrupted' } },
      )
      expect(await desk.refusedQuietly('claim', input, clockwork)).toBe('run_over')
    })

    it('a claim is refused if its dispatcher has no lease', async () => {
      const desk = await Desk.open(await open())
      const id = await desk.card('a')
      const refused = (over: object) => desk.refused('claim', desk.claimInput(id, over), clockwork)
      expect(await refused({ dispatcherTokenHash: 'someone else' })).toBe('dispatcher_superseded')
      expect(await refused({ machine: 'desktop' })).toBe('dispatcher_superseded')
      await desk.lead('lead', 20)
      await desk.test.pass(30)
      expect(await refused({})).toBe('dispatcher_superseded')
      expect(await desk.status(id)).toBe('ready')
    })

    it('a claim checks all gates of the card again', async () => {
      const desk = await Desk.open(await open())
      const refused = (name: string, over: object = {}) =>
        desk.refusedQuietly('claim', desk.claimInput(card(name), over), clockwork)
      await desk.card('a')
      await desk.ok('hold', { task: card('a') })
      expect(await refused('a')).toBe('gate_closed')
      await desk.ok('release', { task: card('a') })
      await desk.settle(await desk.claim(card('a')), { ending: { how: 'exited', exitCode: 1 } })
      expect((await desk.task(card('a'))).cooldownUntil).toBeGreaterThan(await desk.store.now())
      expect(await refused('a')).toBe('gate_closed')
      await desk.card('s', { scheduledAt: (await desk.store.now()) + 60_000 })
      expect(await refused('s')).toBe('gate_closed')
      await desk.card('b', { blocked: true })
      expect(await refused('b')).toBe('gate_closed')
      await desk.card('r')
      await desk.card('o')
      expect(await refused('o', { agent: 'other' })).toBe('claim_lost')
      await desk.ok('delete', { task: card('o') })
      expect(await refused('o')).toBe('task_not_found')
      await desk.ok('set_board', { archived: true })
      expect(await refused('r')).toBe('gate_closed')
    })

    it('a claim is refused while its machine, board, agent or account is paused', async () => {
      const desk = await Desk.open(await open())
      const id = await desk.card('a')
      const refused = () => desk.refused('claim', desk.claimInput(id, { account: 'acme' }), clockwork)
      for (const slot of [
        { kind: 'machine', name: 'laptop' },
        { kind: 'board', name: 'main' },
        { kind: 'agent', name: 'coder' },
      ] as const) {
        await desk.ok('pause', slot)
        expect([slot.kind, await refused()]).toEqual([slot.kind, 'gate_closed'])
        await desk.ok('resume', slot)
      }
      await desk.ok('pause_account', { account: 'acme', cause: 'person' })
      expect(await refused()).toBe('gate_closed')
      await desk.ok('resume_account', { account: 'acme' })
      await desk.claim(id, { account: 'acme' })
    })

    it('a claim returns a card that is wrongly ready to todo, and records the change', async () => {
      const desk = await Desk.open(await open())
      await desk.card('p')
      await desk.card('c', { parents: [card('p')] })
      await desk.test.raw(`update task set status = 'ready', open_parents = 0 where id = '${card('c')}'`)
      expect(await desk.refused('claim', desk.claimInput(card('c')), clockwork)).toBe('parents_open')
      expect(await desk.status(card('c'))).toBe('todo')
      expect(await desk.lastEvent(card('c'))).toEqual({
        kind: 'claim_rejected',
        runId: null,
        data: { reason: 'parents_open', parents: [card('p')] },
      })
      expect(await desk.store.runs('main', card('c'))).toEqual([])
    })

    it('only the reviewer can claim a card in review, after its parents finish', async () => {
      const desk = await Desk.open(await open(), { reviewer: 'critic' })
      await desk.card('p')
      await desk.card('a')
      await desk.ok('request_review', { task: card('a'), runId: runOf('x') })
      expect(await desk.refused('claim', desk.claimInput(card('a')), clockwork)).toBe('claim_lost')
      await desk.ok('link', { parent: card('p'), child: card('a') })
      const input = { agent: 'critic' }
      expect(await desk.refusedQuietly('claim', desk.claimInput(card('a'), input), clockwork)).toBe('parents_open')
      expect(await desk.kinds(card('a'))).not.toContain('claim_rejected')
      await desk.complete(card('p'))
      const { runId } = await desk.claim(card('a'), input)
      expect(await desk.runRow(runId)).toMatchObject({ phase: 'review', agent: 'critic', fromStatus: 'review' })
    })

    it('the board’s reviewer cannot claim the review of a card that it worked on', async () => {
      const desk = await Desk.open(await open(), { reviewer: 'critic' })
      for (const letter of ['worked', 'tried', 'other']) await desk.card(letter, { assignee: 'critic' })
      const inReview = async (id: TaskId): Promise<void> => {
        await desk.ok('assign', { task: id, assignee: 'coder' })
        await desk.ok('request_review', { task: id, runId: runOf(`q${id.slice(-6)}`) })
      }
      const worked = await desk.run(card('worked'), { agent: 'critic' })
      await desk.settle(worked, { ending: { how: 'interrupted' } })
      const tried = await desk.claim(card('tried'), { agent: 'critic' })
      await desk.settle(tried, { ending: { how: 'spawn_failed' } })
      for (const letter of ['worked', 'tried', 'other']) await inReview(card(letter))
      const ids = ['worked', 'tried', 'other'].map(card)
      expect(await desk.store.workedOn('main', 'critic', ids)).toEqual([card('worked')])
      expect(await desk.store.workedOn('main', 'coder', ids)).toEqual([])
      const claim = (letter: string) => desk.do('claim', desk.claimInput(card(letter), { agent: 'critic' }), clockwork)
      expect(await claim('worked')).toMatchObject({ ok: false, error: { code: 'claim_lost' } })
      expect(await claim('tried')).toMatchObject({ ok: true })
      expect(await claim('other')).toMatchObject({ ok: true })
      await desk.ok('edit', { task: card('worked'), set: { reviewer: 'critic' } })
      expect(await claim('worked')).toMatchObject({ ok: true })
    })

    it('a claim is refused while the directory is in use or the workspace is swept', async () => {
      const desk = await Desk.open(await open())
      const workspace = { kind: 'dir', path: '/srv/site' } as const
      await desk.card('a', { workspace })
      await desk.card('b', { workspace })
      const claimed = await desk.run(card('a'))
      const refused = () => desk.refusedQuietly('claim', desk.claimInput(card('b')), clockwork)
      expect(await refused()).toBe('directory_busy')
      await desk.settle(claimed, { completesOnExit: true })
      await desk.test.raw(`update task set workspace_state = 'sweeping' where id = '${card('b')}'`)
      expect(await refused()).toBe('workspace_sweeping')
      await desk.test.raw(`update task set workspace_state = 'gone' where id = '${card('b')}'`)
      await desk.claim(card('b'))
    })

    it('a claim stores and compares the real path of a directory', async () => {
      const desk = await Desk.open(await open())
      for (const name of ['a', 'b']) await desk.card(name, { workspace: { kind: 'dir', path: `/link/${name}` } })
      const there = { directory: '/srv/site' }
      await desk.ok('claim', { ...desk.claimInput(card('a')), ...there }, clockwork)
      expect((await desk.task(card('a'))).workspace).toMatchObject({ kind: 'dir', path: '/srv/site' })
      const claim = { ...desk.claimInput(card('b')), ...there }
      expect(await desk.refusedQuietly('claim', claim, clockwork)).toBe('directory_busy')
      await desk.ok('set_board', { settings: { sharedDirectories: true } })
      await desk.ok('claim', claim, clockwork)
    })
  },
  { inThread: true },
)

describeStores(
  'caps',
  (open) => {
    it('runs reach the caps of machine, board, agent and account, but never exceed them', async () => {
      const desk = await Desk.open(await open(), { maxRunning: 6, maxPerAgent: 3 })
      const other = new Desk(desk.test, 'other')
      await other.ok('create_board', { slug: 'other' })
      await desk.lead('lead', 3_600_000, 'desktop')
      for (const at of [1, 2, 3, 4, 5, 6, 7]) await desk.card(at, { assignee: at > 4 ? 'writer' : 'coder' })
      const claim = (at: number, over: object) =>
        desk.do(
          'claim',
          desk.claimInput(card(at), { agent: at > 4 ? 'writer' : 'coder', account: 'acme', ...over }),
          clockwork,
        )
      const none = { machine: null, agent: null, account: null }
      expect((await claim(1, {})).ok).toBe(true)
      expect(await claim(2, { caps: { ...none, machine: 1 } })).toMatchObject({ error: { code: 'capped' } })
      expect(await claim(2, { caps: { ...none, account: 1 } })).toMatchObject({ error: { code: 'capped' } })
      expect(await claim(2, { caps: { ...none, agent: 1 } })).toMatchObject({ error: { code: 'capped' } })
      // On another machine with another account, only the cap of the agent applies.
      expect(
        (await claim(2, { machine: 'desktop', account: 'beta', caps: { machine: 1, agent: 2, account: 1 } })).ok,
      ).toBe(true)
      expect((await claim(3, { caps: { ...none, agent: 5 } })).ok).toBe(true)
      // The board's maxPerAgent is 3, which applies even if the machine allows more.
      expect(await claim(4, { caps: { ...none, agent: 5 } })).toMatchObject({ error: { code: 'capped' } })
      for (const at of [5, 6, 7]) expect((await claim(at, { caps: { ...none, machine: 5 } })).ok).toBe(true)
      await desk.card(8, { assignee: 'painter' })
      expect(await desk.refused('claim', desk.claimInput(card(8), { agent: 'painter' }), clockwork)).toBe('capped')
      // The other board has its own cap.
      await other.card('o', { assignee: 'painter' })
      expect((await other.do('claim', desk.claimInput(card('o'), { agent: 'painter' }), clockwork)).ok).toBe(true)
    })

    it('a run frees its slot when it ends, and a manual run uses no slot', async () => {
      const desk = await Desk.open(await open(), { maxRunning: 1 })
      await desk.card('a')
      await desk.card('b')
      await desk.card('m')
      await desk.ok('claim_manual', { task: card('m'), runId: runOf('m') })
      const first = await desk.run(card('a'))
      expect(await desk.refused('claim', desk.claimInput(card('b')), clockwork)).toBe('capped')
      await desk.settle(first, { completesOnExit: true })
      await desk.claim(card('b'))
    })
  },
  { inThread: true },
)

describeStores(
  'a manual claim',
  (open) => {
    it('a manual claim has no lease and no deadline, and a command ends it', async () => {
      const desk = await Desk.open(await open())
      const id = await desk.card('a')
      await desk.ok('hold', { task: id })
      const first = await desk.ok('claim_manual', { task: id, runId: runOf('m') })
      expect(first).toMatchObject({ attempt: 1, phase: 'work' })
      expect(await desk.ok('claim_manual', { task: id, runId: runOf('m') })).toEqual(first)
      expect(await desk.runRow(runOf('m'))).toMatchObject({
        kind: 'manual',
        agent: null,
        leaseUntil: null,
        startDeadlineAt: null,
        tokenHash: null,
        claimedBy: 'ada',
      })
      expect(await desk.task(id)).toMatchObject({ status: 'running', dueAt: null })
      expect(await desk.refusedQuietly('claim_manual', { task: id, runId: runOf('n') })).toBe('claim_lost')
      expect(await desk.refusedQuietly('claim', desk.claimInput(id), clockwork)).toBe('claim_lost')
      await desk.ok('heartbeat', { task: id, note: 'half way' })
      expect(await desk.runRow(runOf('m'))).toMatchObject({ note: 'half way' })
      await desk.ok('complete', { task: id, runId: runOf('z'), summary: 'By hand.' })
      expect(await desk.runRow(runOf('m'))).toMatchObject({ outcome: 'completed', summary: 'By hand.' })
      expect(await desk.store.run(runOf('z'))).toBeNull()
      expect(await desk.refusedQuietly('claim_manual', { task: id, runId: runOf('m') })).toBe('run_over')
    })

    it('a manual claim is refused for workers, open parents and blocked cards', async () => {
      const desk = await Desk.open(await open())
      await desk.card('p')
      await desk.card('c', { parents: [card('p')] })
      await desk.card('b', { blocked: true })
      const claim = (name: string, actor = person) =>
        desk.refusedQuietly('claim_manual', { task: card(name), runId: runOf('m') }, actor)
      expect(await claim('p', worker(card('p'), runOf('x')))).toBe('not_allowed')
      expect(await claim('c')).toBe('parents_open')
      expect(await claim('b')).toBe('gate_closed')
    })

    it('a command of a person ends a manual claim at once', async () => {
      const desk = await Desk.open(await open())
      const verbs = [
        ['block', { runId: runOf('z1'), reason: 'waits for the key' }, 'blocked', 'blocked'],
        ['archive', {}, 'archived', 'stopped'],
        ['schedule', { at: null }, 'scheduled', 'stopped'],
        ['reclaim', {}, 'ready', 'reclaimed'],
        ['request_review', { runId: runOf('z2'), summary: 'Look.' }, 'review', 'review_requested'],
      ] as const
      for (const [at, [verb, extra, status, outcome]] of verbs.entries()) {
        const id = await desk.card(at)
        const runId = runOf(`m${at}`)
        await desk.ok('claim_manual', { task: id, runId }, orchestrator)
        const answer = await desk.ok(verb, { task: id, ...extra })
        expect(answer).toMatchObject({ status, pending: false })
        expect(await desk.task(id)).toMatchObject({ status, currentRunId: null })
        expect(await desk.runRow(runId)).toMatchObject({ outcome })
      }
    })

    it('deleting a card ends its manual claim', async () => {
      const desk = await Desk.open(await open())
      const id = await desk.card('a')
      await desk.ok('claim_manual', { task: id, runId: runOf('m') })
      await desk.ok('delete', { task: id })
      expect(await desk.task(id)).toMatchObject({ status: 'ready', deletedBy: 'ada', currentRunId: null })
      expect(await desk.runRow(runOf('m'))).toMatchObject({ outcome: 'stopped' })
    })
  },
  { inThread: true },
)
