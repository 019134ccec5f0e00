// Tests queries that are not lists: hand-offs, recent work, admission facts, counts, and the feed of one card.
import { expect, it } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { VerbInput } from '../../src/core/transitions/index.ts'
import { attachmentOf, card, commentOf, runOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

/** Runs a whole attempt that completes the card with a summary. */
async function finishWith(desk: Desk, letter: string, summary: string, agent = 'coder'): Promise<void> {
  const claimed = await desk.run(card(letter), { agent })
  unwrap(await desk.verdict(claimed, { kind: 'complete', summary }))
  await desk.settle(claimed)
}

describeStores('the hand-offs of parents', (open) => {
  it('a hand-off has the summary of the newest completion and the files', async () => {
    const desk = await Desk.open(await open(), { retryBaseMs: 0, successGuardMs: 0 })
    await desk.card('a')
    await desk.card('b', { assignee: null })
    await desk.card('gone')
    await desk.card('child', { parents: [card('a'), card('b'), card('gone')] })
    await finishWith(desk, 'a', 'first words')
    await desk.ok('reopen', { task: card('a') })
    await finishWith(desk, 'a', 'second words')
    await desk.ok('delete', { task: card('gone') })
    for (const name of ['one', 'two'])
      await desk.ok('attach', {
        taskId: card('a'),
        id: attachmentOf(name),
        filename: `${name}.txt`,
        storedPath: `${card('a')}/${name}.txt`,
        contentType: null,
        size: 1,
        sha256: null,
      })
    const handOffs = await desk.store.handOffs('main', card('child'))
    expect(handOffs.map(({ task, summary, storedPaths }) => [task.id, task.status, summary, storedPaths])).toEqual([
      [card('a'), 'done', 'second words', [`${card('a')}/one.txt`, `${card('a')}/two.txt`]],
      [card('b'), 'ready', null, []],
    ])
    expect(await desk.store.handOffs('main', card('a'))).toEqual([])
  })
})

describeStores('cards without a body', (open) => {
  it('a body of white space counts as no body', async () => {
    const desk = await Desk.open(await open())
    await desk.card('none', { body: null })
    await desk.card('blank', { body: ' \t\n\r\f\v' })
    await desk.card('script', { body: '\n echo hello' })
    const ids = [card('none'), card('blank'), card('script'), card('unknown')]
    expect(await desk.store.withoutBody('main', ids)).toEqual([card('blank'), card('none')].toSorted())
    expect(await desk.store.withoutBody('side', ids)).toEqual([])
    expect(await desk.store.withoutBody('main', [])).toEqual([])
  })
})

/** Runs a work run that requests a review, then a review run with the given verdict. */
async function review(desk: Desk, letter: string, verdict: VerbInput<'verdict'>['verdict']): Promise<void> {
  const work = await desk.run(card(letter))
  unwrap(await desk.verdict(work, { kind: 'request_review', summary: `made ${letter}`, reviewer: 'critic' }))
  await desk.settle(work)
  const reviewing = await desk.run(card(letter), { agent: 'critic' })
  await desk.test.pass(20)
  unwrap(await desk.verdict(reviewing, verdict))
  await desk.settle(reviewing)
}

describeStores('the results of reviews', (open) => {
  it('a review keeps the author’s summary and counts in the statistics', async () => {
    const desk = await Desk.open(await open(), { retryBaseMs: 0 })
    expect(await desk.store.reviews('main')).toEqual({ approved: 0, changesRequested: 0, waitedMs: [], oldestAt: null })
    for (const letter of ['a', 'b', 'c']) await desk.card(letter)
    await desk.card('child', { parents: [card('a'), card('b')] })
    await review(desk, 'a', { kind: 'request_changes', reason: 'no tests' })
    await review(desk, 'a', { kind: 'complete', summary: 'reads well' })
    await review(desk, 'b', { kind: 'complete', summary: 'fine' })
    const handOffs = await desk.store.handOffs('main', card('child'))
    expect(handOffs.map(({ summary, task }) => [summary, task.result])).toEqual([
      ['made a', 'made a'],
      ['made b', 'made b'],
    ])
    await desk.ok('request_review', { task: card('c'), runId: runOf('x') })
    const figures = await desk.store.reviews('main')
    expect(figures).toMatchObject({ approved: 2, changesRequested: 1 })
    expect(figures.waitedMs.filter((ms) => ms >= 20)).toHaveLength(3)
    expect(figures.oldestAt).toBe((await desk.task(card('c'))).reviewRequestedAt)
    expect(await desk.store.reviews('other')).toMatchObject({ approved: 0, changesRequested: 0, waitedMs: [] })
  })
})

describeStores('the recent work of an agent', (open) => {
  it('the recent work of an agent lists completed runs on other cards, newest first', async () => {
    const desk = await Desk.open(await open())
    for (const letter of ['a', 'b', 'c', 'own']) {
      await desk.card(letter)
      await finishWith(desk, letter, `did ${letter}`)
      await desk.test.pass(2)
    }
    await desk.card('x', { assignee: 'writer' })
    await finishWith(desk, 'x', 'not mine', 'writer')
    await desk.card('crashed')
    await desk.settle(await desk.run(card('crashed')), { ending: { how: 'exited', exitCode: 1 } })
    const options = { except: card('own'), limit: 2 }
    const work = await desk.store.recentWork('main', 'coder', options)
    expect(work.map(({ taskId, title, summary }) => [taskId, title, summary])).toEqual([
      [card('c'), 'Card c', 'did c'],
      [card('b'), 'Card b', 'did b'],
    ])
    expect(work[0]?.endedAt).toBeGreaterThan(work[1]?.endedAt ?? Infinity)
    expect(await desk.store.recentWork('main', 'nobody', options)).toEqual([])
  })
})

describeStores('the admission facts of a card', (open) => {
  it('admission facts name open parents, open runs, pauses, and the card that uses the directory', async () => {
    const desk = await Desk.open(await open())
    const workspace = { kind: 'dir', path: '/srv/site' } as const
    await desk.card('a', { workspace })
    await desk.card('b', { workspace, parents: [card('a')] })
    const claimed = await desk.run(card('a'), { account: 'acme' })
    await desk.ok('pause', { kind: 'agent', name: 'coder', reason: 'too hot' })
    const place = { machine: 'laptop', agent: 'coder', account: 'acme' }
    const facts = await desk.store.admissionFacts(await desk.task(card('b')), place)
    expect(facts).toMatchObject({
      openParents: [{ id: card('a'), status: 'running' }],
      openRuns: { machine: 1, board: 1, agent: 1, account: 1 },
      directoryUser: card('a'),
      run: null,
    })
    expect(facts.slots.filter(({ pausedAt }) => pausedAt !== null)).toMatchObject([{ kind: 'agent', name: 'coder' }])
    const nobody = { machine: null, agent: null, account: null }
    expect(await desk.store.admissionFacts(await desk.task(card('a')), nobody)).toMatchObject({
      openParents: [],
      openRuns: { machine: 0, board: 1, agent: 0, account: 0 },
      directoryUser: null,
      account: null,
      run: { id: claimed.runId },
    })
  })
})

describeStores('a worktree on a branch', (open) => {
  it('a worktree is needed while children or cards on its branch are unfinished', async () => {
    const test = await open()
    const desk = await Desk.open(test)
    const shared = { workspace: { kind: 'worktree', repo: '/srv/repo' }, branch: 'work' } as const
    await desk.card('a', shared)
    await desk.settle(await desk.run(card('a'), { pinned: true }), { verdict: { kind: 'complete', summary: 'Done.' } })
    const other = new Desk(test, 'other')
    await other.ok('create_board', { slug: 'other' })
    await other.card('o', shared)
    const nobody = { machine: null, agent: null, account: null }
    const needed = async () =>
      (await desk.store.admissionFacts(await other.task(card('o')), nobody)).branchHolders.map((one) => [
        one.id,
        one.needed,
      ])
    expect(await needed()).toEqual([[card('a'), false]])
    await desk.card('c', { parents: [card('a')] })
    expect(await needed()).toEqual([[card('a'), true]])
    await desk.complete(card('c'))
    expect(await needed()).toEqual([[card('a'), false]])
    await desk.card('d', shared)
    expect(await needed()).toEqual([[card('a'), true]])
  })
})

describeStores('cards', (open) => {
  it('cards are found by id, even in the trash', async () => {
    const desk = await Desk.open(await open())
    await desk.card('b')
    await desk.card('a')
    await desk.ok('delete', { task: card('a') })
    const found = await desk.store.tasksById([card('b'), card('a'), card('b'), card('nobody')])
    expect(found.map(({ id }) => id)).toEqual([card('a'), card('b')])
    expect(await desk.store.tasksById([])).toEqual([])
  })

  it('cards outside the trash are counted by status and assignee', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.test.pass(5)
    await desk.card('b')
    await desk.card('c', { assignee: null })
    await desk.card('d', { parents: [card('a')] })
    await desk.card('gone')
    await desk.ok('delete', { task: card('gone') })
    expect(await desk.store.groups('main')).toEqual([
      { status: 'ready', assignee: null, count: 1 },
      { status: 'ready', assignee: 'coder', count: 2 },
      { status: 'todo', assignee: 'coder', count: 1 },
    ])
    expect(await desk.store.readySince('main')).toBe((await desk.task(card('a'))).createdAt)
  })

  it('the counts stay correct after each of many changes', async () => {
    const desk = await Desk.open(await open())
    for (let at = 0; at < 40; at += 1) await desk.card(at, { assignee: at % 2 === 0 ? 'coder' : 'writer' })
    for (let at = 0; at < 40; at += 1) {
      if (at % 3 === 0) await desk.complete(card(at))
      else if (at % 3 === 1) await desk.ok('assign', { task: card(at), assignee: 'tester' })
      else for (const verb of ['delete', 'undelete', 'delete'] as const) await desk.ok(verb, { task: card(at) })
      for (let turn = 0; turn < 4; turn += 1)
        await desk.ok('comment', { task: card(0), id: commentOf(at * 4 + turn), body: 'Moves the feed along.' })
      expect(await desk.store.doctor()).toEqual([])
    }
    expect(await desk.store.groups('main')).toEqual([
      { status: 'done', assignee: 'coder', count: 7 },
      { status: 'done', assignee: 'writer', count: 7 },
      { status: 'ready', assignee: 'tester', count: 13 },
    ])
    expect(await desk.store.counts('main')).toMatchObject({ done: 14, ready: 13, todo: 0 })
  })

  it('a list can contain only unassigned cards', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.card('b', { assignee: null })
    expect((await desk.store.tasks('main', { assignee: null })).map(({ id }) => id)).toEqual([card('b')])
  })
})

describeStores('the feed of a card', (open) => {
  it('the feed of a card skips the events of other cards', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.card('b')
    for (const at of [1, 2, 3]) await desk.ok('comment', { task: card('a'), id: commentOf(at), body: 'words' })
    const of = { board: 'main', task: card('a') }
    const first = await desk.store.cardFeed(of, null, 2)
    expect(first.events.map(({ kind }) => kind)).toEqual(['created', 'commented'])
    const rest = await desk.store.cardFeed(of, first.cursor, 10)
    expect(rest.events.map(({ kind }) => kind)).toEqual(['commented', 'commented'])
    expect(rest.cursor).toBe((await desk.store.feed(null)).cursor)
    await desk.card('c')
    await desk.ok('hold', { task: card('a') })
    expect(await desk.store.cardFeed(of, rest.cursor)).toMatchObject({ events: [{ kind: 'held' }], resync: false })
    expect((await desk.store.cardFeed({ board: 'main', task: card('nobody') }, null)).events).toEqual([])
  })

  it('an unknown cursor in the feed of a card causes a resync', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    const { cursor } = await desk.store.feed(null)
    const of = { board: 'main', task: card('a') }
    expect(await desk.store.cardFeed(of, 'ffffff:1')).toEqual({ events: [], cursor, resync: true, more: false })
  })
})
