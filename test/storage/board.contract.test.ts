import { expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '../../src/core/board.ts'
import {
  attachmentOf,
  card,
  clockwork,
  commentOf,
  identity,
  orchestrator,
  person,
  runOf,
  worker,
} from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

describeStores('comments and files', (open) => {
  it('comments from the same millisecond keep the order in which they were written', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    for (const name of ['z', 'm', 'a', 'q'])
      await desk.ok('comment', { task: card('a'), id: commentOf(name), body: name })
    const page = await desk.store.comments('main', card('a'))
    expect(page?.comments.map((comment) => comment.body)).toEqual(['z', 'm', 'a', 'q'])
    expect(page?.comments[0]).toMatchObject({ author: 'ada', runId: null, taskId: card('a'), board: 'main' })
  })

  it('comments are read in pages, newest page first', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.card('b')
    await desk.ok('comment', { task: card('b'), id: commentOf('other'), body: 'elsewhere' })
    for (let at = 0; at < 7; at += 1)
      await desk.ok('comment', { task: card('a'), id: commentOf(at), body: `comment ${at}` })
    const bodies = async (before?: number) => {
      const page = await desk.store.comments('main', card('a'), {
        limit: 3,
        ...(before === undefined ? {} : { before: commentOf(before) }),
      })
      return [page?.comments.map(({ body }) => body.slice(-1)).join(''), page?.earlier]
    }
    expect(await bodies()).toEqual(['456', 4])
    expect(await bodies(4)).toEqual(['123', 1])
    expect(await bodies(1)).toEqual(['0', 0])
    expect(await bodies(0)).toEqual(['', 0])
    expect(await desk.store.comments('main', card('a'), { before: commentOf('other') })).toBeNull()
    expect(await desk.store.comment(commentOf(5))).toMatchObject({ body: 'comment 5' })
  })

  it('a page of comments counts the earlier ones exactly', async () => {
    const test = await open()
    const desk = await Desk.open(test)
    await desk.card('a')
    const series =
      test.engine === 'sqlite'
        ? '(with recursive s (i) as (select 1 union all select i + 1 from s where i < 10100) select i from s) s'
        : '(select i from generate_series(1, 10100) i) s'
    await test.raw(`insert into comment (board, id, task_id, author, body, created_at)
      select 'main', 'c' || s.i, '${card('a')}', 'ada', 'text', s.i from ${series} order by s.i`)
    await desk.ok('comment', { task: card('a'), id: commentOf('last'), body: 'The last.' })
    const page = await desk.store.comments('main', card('a'), { limit: 1 })
    expect(page).toMatchObject({ comments: [{ body: 'The last.' }], earlier: 10_100 })
  })

  it('a page of large comments is shorter, but has at least one comment', async () => {
    const test = await open()
    const desk = await Desk.open(test)
    await desk.card('a')
    for (const name of ['x', 'y', 'z']) await desk.ok('comment', { task: card('a'), id: commentOf(name), body: name })
    const large = test.engine === 'sqlite' ? `printf('%.*c', 3000000, 'x')` : `repeat('x', 3000000)`
    await test.raw(`update comment set body = ${large}`)
    const page = await desk.store.comments('main', card('a'))
    expect(page?.comments.map(({ id }) => id)).toEqual([commentOf('z')])
    expect(page?.earlier).toBe(2)
  })

  it('a comment over the size limit is refused with a remedy', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    const comment = (length: number) =>
      desk.do('comment', { task: card('a'), id: commentOf(length), body: 'x'.repeat(length) })
    expect(await comment(65_536)).toMatchObject({ ok: true })
    expect(await comment(65_537)).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', message: 'body must be at most 65536 characters; attach a file instead.' },
    })
  })

  it('an answer over the size limit is refused with a remedy', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.ok('block', { task: card('a'), runId: runOf('b'), reason: 'Which port?' })
    const given = (length: number) => ({
      task: card('a'),
      answer: { id: commentOf(length), text: 'x'.repeat(length) },
    })
    expect(await desk.do('unblock', given(65_537))).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', message: 'answer.text must be at most 65536 characters; attach a file instead.' },
    })
    expect(await desk.do('unblock', given(65_536))).toMatchObject({ ok: true })
  })

  it('a page of large answers has the newest answers and counts the others', async () => {
    const test = await open()
    const desk = await Desk.open(test, { blockLoopLimit: 100 })
    await desk.card('a')
    const page = async () => {
      const { answers, earlier } = await desk.store.answers('main', card('a'))
      return [answers.map(({ body }) => body.slice(0, 3)), earlier]
    }
    expect(await page()).toEqual([[], 0])
    const rounds = ['one', 'two', 'six', 'ten']
    for (const [at, text] of rounds.entries()) {
      await desk.ok('block', { task: card('a'), runId: runOf(`b${at}`), reason: 'Which port?' })
      await desk.ok('unblock', { task: card('a'), answer: { id: commentOf(text), text } })
    }
    await desk.ok('comment', { task: card('a'), id: commentOf('plain'), body: 'A plain comment.' })
    expect(await page()).toEqual([rounds, 0])
    const large = test.engine === 'sqlite' ? `printf('%.*c', 1500000, 'x')` : `repeat('x', 1500000)`
    await test.raw(`update comment set body = body || ${large}`)
    expect(await page()).toEqual([['six', 'ten'], 2])
    // Makes the question large, because the question is stored with the answer.
    await test.raw(`update comment set answer_to = replace(answer_to, 'Which port?', ${large})`)
    expect(await page()).toEqual([['ten'], 3])
  })

  it('older answers are counted from the last completion of the card', async () => {
    const test = await open()
    const desk = await Desk.open(test)
    await desk.card('a')
    await desk.card('b')
    const answersOf = (letter: string, from: number, to: number) => {
      const series =
        test.engine === 'sqlite'
          ? `(with recursive s (i) as (select ${from} union all select i + 1 from s where i < ${to}) select i from s) s`
          : `(select i from generate_series(${from}, ${to}) i) s`
      return test.raw(`insert into comment (board, id, task_id, author, body, created_at, answer_to)
        select 'main', 'c${letter}' || s.i, '${card(letter)}', 'ada', 'text', s.i,
          '{"verb":"unblock","question":null,"kind":null,"askedBy":null,"askedAt":null}' from ${series} order by s.i`)
    }
    await answersOf('a', 1, 70)
    await answersOf('b', 1, 70)
    const counts = async (letter: string) => {
      const { answers, earlier } = await desk.store.answers('main', card(letter))
      return [answers.length, earlier]
    }
    expect(await counts('a')).toEqual([50, 20])
    await desk.finish(card('b'))
    await test.raw(`update run set ended_at = 11 where task_id = '${card('b')}'`)
    expect(await counts('b')).toEqual([50, 10])
  })

  it('a worker may comment on any card of its board', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.claim(await desk.card('b'), { runId: runOf('r') })
    const mine = worker(card('b'), runOf('r'))
    await desk.ok('comment', { task: card('a'), id: commentOf('x'), body: 'I am ada' }, mine)
    expect(await desk.store.comments('main', card('a'))).toMatchObject({
      comments: [{ author: 'agent:coder', runId: runOf('r') }],
    })
    expect(await desk.lastEvent(card('a'))).toMatchObject({ kind: 'commented', runId: runOf('r') })
  })

  it('a comment or file that is sent twice is stored once', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    const comment = { task: card('a'), id: commentOf('x'), body: 'hello' }
    const file = { id: attachmentOf('x'), taskId: card('a'), filename: 'f', storedPath: 'f', size: 1 }
    const attached = { ...file, contentType: null, sha256: null }
    const first = [await desk.ok('comment', comment), await desk.ok('attach', attached)]
    const before = await desk.store.exportAll()
    expect([await desk.ok('comment', comment), await desk.ok('attach', attached)]).toEqual(first)
    expect(await desk.store.exportAll()).toEqual(before)
    await desk.card('b')
    expect(await desk.refusedQuietly('comment', { ...comment, task: card('b') })).toBe('id_taken')
    expect(await desk.refusedQuietly('attach', { ...attached, taskId: card('b') })).toBe('id_taken')
  })

  it('a file is recorded, listed and removed', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    const file = {
      id: attachmentOf('x'),
      taskId: card('a'),
      filename: 'Bericht – final.md',
      storedPath: 'a/x',
      contentType: 'text/markdown',
      size: 1234,
      sha256: 'ab'.repeat(32),
    }
    await desk.ok('attach', file)
    expect(await desk.store.attachments('main', card('a'))).toMatchObject([{ ...file, uploadedBy: 'ada', runId: null }])
    await desk.card('b')
    const elsewhere = { task: card('b'), id: attachmentOf('x') }
    expect(await desk.refusedQuietly('detach', elsewhere)).toBe('attachment_not_found')
    await desk.ok('detach', { task: card('a'), id: attachmentOf('x') })
    expect(await desk.store.attachments('main', card('a'))).toEqual([])
    expect((await desk.kinds(card('a'))).slice(-2)).toEqual(['attached', 'attachment_removed'])
  })

  it('a link to a pull request in a comment delays the next automatic retry', async () => {
    const desk = await Desk.open(await open(), { retryBaseMs: 0 })
    const claimed = await desk.run(await desk.card('a'))
    const body = 'See https://github.com/acme/site/pull/7'
    await desk.ok('comment', { task: card('a'), id: commentOf('x'), body }, worker(card('a'), claimed.runId))
    await desk.settle(claimed, { ending: { how: 'timed_out' } })
    expect(await desk.task(card('a'))).toMatchObject({ guardReason: 'active_pr', status: 'ready' })
    expect((await desk.task(card('a'))).dueAt).toBe((await desk.task(card('a'))).guardUntil)
    await desk.ok('comment', { task: card('a'), id: commentOf('y'), body: 'Go on.' })
    expect(await desk.task(card('a'))).toMatchObject({ guardReason: null, guardUntil: null, dueAt: null })
  })
})

describeStores('editing a card', (open) => {
  it('an edit writes only the changed fields, and its event names them', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.ok('edit', { task: card('a'), set: { title: 'Card a', body: 'More', priority: 3, skills: ['sql'] } })
    expect(await desk.task(card('a'))).toMatchObject({ body: 'More', priority: 3, skills: ['sql'] })
    const events = (await desk.events(card('a'))).slice(1)
    expect(events).toMatchObject([
      { kind: 'edited', data: { fields: ['body', 'skills'] } },
      { kind: 'reprioritized', data: { priority: 3, was: 0 } },
    ])
    const before = await desk.store.exportAll()
    await desk.ok('edit', { task: card('a'), set: { body: 'More' } })
    expect(await desk.store.exportAll()).toEqual(before)
  })

  it('assigning another agent resets the failures', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.settle(await desk.run(card('a')), { ending: { how: 'timed_out' } })
    await desk.ok('assign', { task: card('a'), assignee: 'Writer ' })
    expect(await desk.task(card('a'))).toMatchObject({ assignee: 'writer', consecutiveFailures: 0, dueAt: null })
    await desk.ok('edit', { task: card('a'), set: {}, resetFailures: true })
    expect((await desk.lastEvent(card('a'))).kind).toBe('failures_reset')
  })

  it('amending a result does not change the run', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.finish(card('a'))
    const runs = await desk.store.runs('main', card('a'))
    await desk.ok('amend', { task: card('a'), result: 'Rather this', metadata: { v: 2 } })
    expect(await desk.task(card('a'))).toMatchObject({ result: 'Rather this', metadata: { v: 2 } })
    expect(await desk.store.runs('main', card('a'))).toEqual(runs)
    expect((await desk.lastEvent(card('a'))).kind).toBe('amended')
  })

  it('a worker may edit only its own card and cards that it created', async () => {
    const desk = await Desk.open(await open())
    const claimed = await desk.run(await desk.card('a'))
    await desk.card('other')
    const mine = worker(card('a'), claimed.runId)
    await desk.ok('create', { cards: [{ id: card('made'), title: 'Made' }] }, mine)
    const edit = (name: string, body = 'x') => ({ task: card(name), set: { body } })
    expect(await desk.refusedQuietly('edit', edit('other'), mine)).toBe('not_allowed')
    await desk.ok('edit', edit('made'), mine)
    await desk.ok('edit', edit('a'), mine)
    await desk.settle(claimed)
    for (const name of ['a', 'made']) {
      const before = await desk.task(card(name))
      expect(await desk.refused('edit', edit(name, 'late'), mine)).toBe('run_superseded')
      expect(await desk.task(card(name))).toEqual(before)
    }
    expect(await desk.lastEvent(card('a'))).toMatchObject({
      kind: 'late_result',
      runId: claimed.runId,
      data: { verb: 'edit', content: edit('made', 'late') },
    })
  })
})

describeStores('boards', (open) => {
  it('a new board has default settings, and creating the board again changes nothing', async () => {
    const desk = new Desk(await open(), 'my-board')
    expect(await desk.ok('create_board', { slug: 'my-board' })).toEqual({ slug: 'my-board', created: true })
    expect(await desk.store.board('my-board')).toMatchObject({
      name: 'My Board',
      description: '',
      settings: DEFAULT_SETTINGS,
      archivedAt: null,
    })
    const before = await desk.store.exportAll()
    expect(await desk.ok('create_board', { slug: 'my-board', name: 'Other' })).toMatchObject({ created: false })
    expect(await desk.store.exportAll()).toEqual(before)
    expect(await desk.store.board('nowhere')).toBeNull()
    expect(await desk.refused('create_board', { slug: 'another' })).toBe('invalid_input')
  })

  it('the event of a change of settings names the changed settings', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('set_board', { name: 'Main!', settings: { leaseMs: 5000, reviewSkills: ['style'] } })
    expect(await desk.store.board('main')).toMatchObject({
      name: 'Main!',
      settings: { ...DEFAULT_SETTINGS, leaseMs: 5000, reviewSkills: ['style'] },
    })
    const { events } = await desk.store.feed(null)
    expect(events).toEqual([])
    const all = (await desk.store.exportAll()).event ?? []
    expect(all.at(-1)).toMatchObject({
      kind: 'board_changed',
      taskId: null,
      data: { fields: ['name', 'reviewSkills', 'leaseMs'] },
    })
    expect(await desk.refusedQuietly('set_board', { settings: { leaseMs: -1 } })).toBe('invalid_input')
    expect(await desk.refusedQuietly('set_board', { settings: { nonsense: 1 } })).toBe('invalid_input')
    expect(await desk.refusedQuietly('set_board', { name: 'X' }, worker(card('a'), runOf('r')))).toBe('not_allowed')
  })

  it('boards are sorted by slug and include archived ones', async () => {
    const test = await open()
    for (const slug of ['zebra', 'apple', 'b-2', 'b_1']) await new Desk(test, slug).ok('create_board', { slug })
    await new Desk(test, 'apple').ok('set_board', { archived: true })
    expect((await test.store.boards()).map((board) => board.slug)).toEqual(['apple', 'b-2', 'b_1', 'zebra'])
    expect((await test.store.board('apple'))?.archivedAt).not.toBeNull()
    await new Desk(test, 'apple').ok('set_board', { archived: false })
    expect((await test.store.board('apple'))?.archivedAt).toBeNull()
  })
})

describeStores('slots and accounts', (open) => {
  it('a pause has an author and a reason until it is resumed', async () => {
    const desk = await Desk.open(await open())
    const slot = { kind: 'agent', name: 'coder' } as const
    expect(await desk.refused('pause', slot, worker(card('a'), runOf('r')))).toBe('not_allowed')
    await desk.ok('pause', { ...slot, reason: 'too eager' }, orchestrator)
    expect(await desk.store.slots()).toMatchObject([
      { ...slot, pausedBy: 'agent:planner', pauseReason: 'too eager', pausedAt: expect.any(Number) },
    ])
    await desk.ok('resume', slot)
    expect(await desk.store.slots()).toEqual([
      { ...slot, pausedAt: null, pausedBy: null, pauseReason: null, pausedUntil: null, resumedAt: expect.any(Number) },
    ])
  })

  it('a quota pause lasts until the latest reset time that was reported', async () => {
    const desk = await Desk.open(await open())
    expect(await desk.store.account('acme')).toBeNull()
    const until = (await desk.store.now()) + 3_600_000
    const quota = { account: 'Acme', cause: 'quota', until } as const
    await desk.ok('pause_account', quota, clockwork)
    expect(await desk.store.account('acme')).toMatchObject({ pauseCause: 'quota', pausedUntil: until, strikes: 1 })
    await desk.ok('pause_account', { ...quota, until: until - 30_000 }, clockwork)
    expect(await desk.store.account('acme')).toMatchObject({ pausedUntil: until, strikes: 2 })
  })

  it('a successful probe reopens an account despite a late quota signal', async () => {
    const desk = await Desk.open(await open())
    const quota = { account: 'acme', cause: 'quota', until: (await desk.store.now()) + 60_000 } as const
    await desk.ok('pause_account', quota, clockwork)
    await desk.card('a')
    const probe = { account: 'acme', probe: true }
    expect(await desk.refused('claim', desk.claimInput(card('a'), probe), clockwork)).toBe('gate_closed')
    await desk.test.raw('update account set paused_until = 1')
    const { runId } = await desk.claim(card('a'), probe)
    expect(await desk.store.account('acme')).toMatchObject({ pauseCause: 'quota', probeRunId: runId })
    const other = { account: 'acme', probeRunId: runOf('other') }
    expect(await desk.refusedQuietly('resume_account', other, clockwork)).toBe('not_allowed')
    await desk.ok('resume_account', { account: 'acme', probeRunId: runId }, clockwork)
    expect(await desk.store.account('acme')).toMatchObject({ pauseCause: null, pausedUntil: null, strikes: 0 })
    const reopenedAt = (await desk.store.account('acme'))?.reopenedAt ?? 0
    const late = { ...quota, runStartedAt: reopenedAt - 1 }
    await desk.ok('pause_account', late, clockwork)
    expect(await desk.store.account('acme')).toMatchObject({ pauseCause: null })
  })

  it('a probe whose run has ended is not reported as running', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('pause_account', { account: 'acme', cause: 'quota' }, clockwork)
    await desk.test.raw('update account set paused_until = 1')
    await desk.card('a')
    const probe = await desk.run(card('a'), { account: 'acme' })
    const accountFact = async () =>
      (await desk.store.admissionFacts(await desk.task(card('a')), { machine: null, agent: 'coder', account: 'acme' }))
        .account
    expect(await accountFact()).toMatchObject({ probeRunId: probe.runId })
    await desk.settle(probe, { ending: { how: 'interrupted' } })
    expect(await desk.store.account('acme')).toMatchObject({ probeRunId: probe.runId })
    expect(await accountFact()).toMatchObject({ pauseCause: 'quota', probeRunId: null })
  })

  it('an account without a valid login stays paused until a person resumes it', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('pause_account', { account: 'acme', cause: 'auth', reason: '401' }, clockwork)
    expect(await desk.store.account('acme')).toMatchObject({ pauseCause: 'auth', pausedUntil: null })
    await desk.ok('pause_account', { account: 'acme', cause: 'quota' }, clockwork)
    expect(await desk.store.account('acme')).toMatchObject({ pauseCause: 'auth' })
    const probe = { account: 'acme', probeRunId: runOf('p') }
    expect(await desk.refusedQuietly('resume_account', probe, clockwork)).toBe('not_allowed')
    await desk.ok('resume_account', { account: 'acme' }, person)
    expect(await desk.refused('resume_account', { account: 'nobody' })).toBe('account_not_found')
  })
})

describeStores('deleting a board', (open) => {
  it('deleting a board removes its rows but keeps its events', async () => {
    const test = await open()
    const desk = await Desk.open(test)
    const side = new Desk(test, 'side')
    await desk.card('kept')
    await side.ok('create_board', { slug: 'side' })
    await side.card('a')
    await side.card('b', { parents: [card('a')] })
    await side.ok('comment', { task: card('a'), id: commentOf('c'), body: 'hm' })
    await side.settle(await side.run(card('a')))
    await side.ok('delete', { task: card('b') })
    await side.ok('pause', { kind: 'board', name: 'side' })
    expect(await side.refusedQuietly('delete_board', {})).toBe('board_in_use')
    await side.ok('set_board', { archived: true })
    const { cursor } = await test.store.feed(null)
    await side.ok('delete_board', {})
    const { board = [], event = [], ...rows } = await test.store.exportAll()
    expect(board.map(({ slug }) => slug)).toEqual(['main'])
    for (const table of Object.values(rows)) expect(table.filter((row) => row.board === 'side')).toEqual([])
    expect(await test.store.slots()).not.toContainEqual(expect.objectContaining({ name: 'side' }))
    expect(event.filter((row) => row.board === 'side').length).toBeGreaterThan(5)
    expect((await test.store.feed(cursor)).events).toMatchObject([{ kind: 'board_deleted', board: 'side' }])
    expect(await test.store.task('main', card('kept'))).not.toBeNull()
    expect(await test.store.doctor()).toEqual([])
    expect(await side.refused('create', { cards: [{ id: card('c'), title: 'C' }] })).toBe('board_not_found')
    await side.ok('create_board', { slug: 'side' })
    expect(await test.store.counts('side')).toMatchObject({ ready: 0, done: 0 })
  })

  it('only one of a board deletion and a concurrent create or claim succeeds', async () => {
    const test = await open()
    const rival = await test.again()
    for (let round = 0; round < 20; round += 1) {
      const [mine, theirs] = [new Desk(test, 'side'), new Desk(test, 'side', rival)]
      await mine.ok('create_board', { slug: 'side' })
      const cards = [{ id: card(`n${round}`), title: 'A card' }]
      const [made, removed] = await Promise.all([theirs.do('create', { cards }), mine.do('delete_board', {})])
      expect([made.ok, removed.ok].filter(Boolean)).toHaveLength(1)
      if (removed.ok) continue
      await mine.ok('set_board', { archived: true })
      const claim = { task: card(`n${round}`), runId: runOf(`n${round}`) }
      const [taken, gone] = await Promise.all([theirs.do('claim_manual', claim), mine.do('delete_board', {})])
      expect([taken.ok, gone.ok || gone.error.code]).toEqual(taken.ok ? [true, 'run_live'] : [false, true])
      if (gone.ok) continue
      await mine.ok('reclaim', { task: card(`n${round}`) })
      await mine.ok('delete_board', {})
    }
    expect(await test.store.doctor()).toEqual([])
  })
})

describeStores('the dispatcher lease', (open) => {
  it('a second dispatcher becomes active only after the lease ends or its holder dies', async () => {
    const desk = await Desk.open(await open())
    await desk.lead('first', 60_000, 'desktop')
    const since = (await desk.store.dispatcher('desktop'))?.since
    expect(await desk.lead('second', 60_000, 'desktop')).toMatchObject({ error: { code: 'dispatcher_superseded' } })
    await desk.lead('first', 90_000, 'desktop')
    expect(await desk.store.dispatcher('desktop')).toMatchObject({ tokenHash: 'first', since })
    await desk.test.raw(`update dispatcher set lease_until = lease_until - 90001`)
    expect((await desk.lead('second', 60_000, 'desktop')).ok).toBe(true)
    expect(await desk.store.dispatcher('desktop')).toMatchObject({
      tokenHash: 'second',
      identity: identity(1, 'desktop'),
    })
    const third = { machine: 'desktop', tokenHash: 'third', identity: identity(7, 'desktop'), leaseMs: 60_000 }
    expect((await desk.do('lead_dispatch', { ...third, deadHolder: 'first' }, clockwork)).ok).toBe(false)
    expect((await desk.do('lead_dispatch', { ...third, deadHolder: 'second' }, clockwork)).ok).toBe(true)
  })

  it('a dispatcher whose row was deleted cannot renew its lease', async () => {
    const desk = await Desk.open(await open())
    const lead = { machine: 'desktop', tokenHash: 'first', identity: identity(1, 'desktop'), leaseMs: 60_000 }
    await desk.ok('lead_dispatch', lead, clockwork)
    await desk.ok('lead_dispatch', { ...lead, renews: true }, clockwork)
    await desk.test.raw('delete from dispatcher')
    const renewed = await desk.do('lead_dispatch', { ...lead, renews: true }, clockwork)
    expect(renewed).toMatchObject({ error: { code: 'dispatcher_superseded' } })
    expect(await desk.store.dispatchers()).toEqual([])
  })

  it('the last pass of a dispatcher stays with its row until another dispatcher leads', async () => {
    const desk = await Desk.open(await open())
    const lead = { machine: 'desktop', tokenHash: 'first', identity: identity(1, 'desktop'), leaseMs: 60_000 }
    const lastPass = async () => (await desk.store.dispatcher('desktop'))?.lastPass
    await desk.ok('lead_dispatch', lead, clockwork)
    expect(await lastPass()).toBeNull()
    const pass = { tookMs: 4, everyMs: 5_000, started: 1, waiting: [{ code: 'cap_reached', count: 3 }] }
    await desk.ok('lead_dispatch', { ...lead, renews: true, pass: { ...pass, agoMs: 20 } }, clockwork)
    await desk.ok('lead_dispatch', { ...lead, renews: true }, clockwork)
    expect(await lastPass()).toEqual({ ...pass, at: expect.any(Number) })
    await desk.ok('lead_dispatch', { ...lead, tokenHash: 'second', deadHolder: 'first' }, clockwork)
    expect(await lastPass()).toBeNull()
  })

  it('the observations of a dispatcher are stored for the next dispatcher of its machine', async () => {
    const desk = await Desk.open(await open())
    await desk.lead('first', 60_000, 'desktop')
    const leave = (tokenHash: string, memory: string) =>
      desk.ok('leave_dispatch', { machine: 'desktop', tokenHash, memory }, clockwork)
    expect(await desk.store.dispatcherMemory('desktop')).toBeNull()
    await leave('someone', 'not the holder')
    expect(await desk.store.dispatcherMemory('desktop')).toBeNull()
    await leave('first', 'seen')
    expect(await desk.store.dispatcherMemory('desktop')).toBe('seen')
    expect(await desk.store.dispatcherMemory('laptop')).toBeNull()
    await desk.lead('second', 60_000, 'desktop')
    await leave('second', 'seen later')
    expect(await desk.store.dispatcherMemory('desktop')).toBe('seen later')
  })

  it('only the holder of the dispatcher lease can release it', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('leave_dispatch', { machine: 'laptop', tokenHash: 'someone' }, clockwork)
    expect(await desk.store.dispatcher('laptop')).not.toBeNull()
    await desk.ok('leave_dispatch', { machine: 'laptop', tokenHash: 'lead' }, clockwork)
    expect(await desk.store.dispatcher('laptop')).toBeNull()
  })

  it('open runs are listed by machine, but manual runs only in the list of all machines', async () => {
    const desk = await Desk.open(await open())
    await desk.lead('lead', 3_600_000, 'desktop')
    await desk.card('a')
    await desk.card('b')
    await desk.card('m')
    const first = await desk.run(card('a'))
    await desk.run(card('b'), { machine: 'desktop' })
    await desk.ok('claim_manual', { task: card('m'), runId: runOf('m') })
    const ids = async (machine: string | null) => (await desk.store.openRuns(machine)).map((run) => run.taskId)
    expect(await ids('laptop')).toEqual([card('a')])
    expect(await ids('desktop')).toEqual([card('b')])
    expect((await ids(null)).sort()).toEqual([card('a'), card('b'), card('m')])
    await desk.settle(first)
    expect(await ids('laptop')).toEqual([])
  })
})
