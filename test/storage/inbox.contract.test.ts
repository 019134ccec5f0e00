import { expect, it } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { TaskId } from '../../src/core/ids.ts'
import type { InboxQuery, Lane } from '../../src/storage/store.ts'
import { card, clockwork, person, runOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

const letters = (ids: readonly TaskId[]): string => ids.map((id) => id.slice(-1)).join('')

async function readInbox({ store }: Desk, more: Partial<InboxQuery> = {}): Promise<readonly string[]> {
  const boards = [{ slug: 'main', reviewer: null }]
  const { accounts, cards } = await store.inbox({ boards, lanes: [], most: 50, ...more })
  return [
    ...accounts.map(({ name }) => `account ${name}`),
    ...cards.map(({ kind, task }) => `${kind} ${task.id.slice(-1)}`),
  ]
}

const block = (desk: Desk, letter: string, kind: 'needs_input' | 'capability' = 'needs_input') =>
  desk.ok('block', { task: card(letter), runId: runOf(`b${letter}`), reason: 'Which port?', kind })

describeStores('the inbox', (open) => {
  it('cards that wait for a person are listed by kind and rank', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a', { triage: true })
    await desk.card('b')
    await desk.card('c', { priority: 5 })
    await desk.card('d')
    await desk.card('e')
    await desk.card('f')
    await block(desk, 'b')
    await block(desk, 'c')
    await block(desk, 'd', 'capability')
    await desk.ok('request_review', { task: card('e'), runId: runOf('re') })
    await desk.ok('pause_account', { account: 'acme', cause: 'auth', reason: 'login expired' })
    await desk.ok('pause_account', { account: 'later', cause: 'person', until: (await desk.store.now()) + 60_000 })
    expect(await readInbox(desk)).toEqual([
      'account acme',
      'question c',
      'question b',
      'review e',
      'blocked d',
      'triage a',
    ])
  })

  it('a page of the inbox continues after the last card of the page before', async () => {
    const desk = await Desk.open(await open())
    for (const letter of 'abcd') await desk.card(letter, { triage: letter === 'd' })
    for (const letter of 'abc') await block(desk, letter)
    const seen: TaskId[] = []
    let after: InboxQuery['after'] = null
    for (let page = 0; page < 4; page += 1) {
      const boards = [{ slug: 'main', reviewer: null }]
      const { cards } = await desk.store.inbox({ boards, lanes: [], most: 1, after })
      const [first] = cards
      if (first === undefined) break
      seen.push(first.task.id)
      after = { kind: first.kind, rank: first.task.rank, id: first.task.id }
    }
    expect(letters(seen)).toBe('abcd')
  })

  it('a review waits for a person if its reviewer was also its assignee', async () => {
    const desk = await Desk.open(await open(), { reviewer: 'critic' })
    await desk.card('a', { assignee: 'critic' })
    await desk.card('b')
    await desk.card('c', { assignee: 'critic' })
    const claimed = await desk.run(card('c'), { agent: 'critic' })
    unwrap(await desk.verdict(claimed, { kind: 'request_review', summary: 'Look.' }))
    await desk.settle(claimed)
    await desk.ok('assign', { task: card('c'), assignee: 'coder' })
    for (const letter of 'ab') await desk.ok('request_review', { task: card(letter), runId: runOf(`r${letter}`) })
    expect(await readInbox(desk, { boards: [{ slug: 'main', reviewer: 'critic' }] })).toEqual(['review a', 'review c'])
  })

  it('cards of an agent that cannot run are listed', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a', { assignee: 'ghost' })
    await desk.card('b', { assignee: 'coder' })
    await desk.card('c', { assignee: 'ghost', held: true })
    const lanes: Lane[] = [{ board: 'main', agent: 'ghost', phase: 'work' }]
    expect(await readInbox(desk, { lanes })).toEqual(['agent a'])
  })

  it('a card that needs approval is not also listed as a review', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.card('b')
    await desk.ok('request_review', { task: card('b'), runId: runOf('rb') })
    await desk.test.raw('update task set commands_approved = 0')
    expect(await readInbox(desk)).toEqual(['approval a', 'approval b'])
  })

  it('finished worktree cards are listed until their work has landed', async () => {
    const desk = await Desk.open(await open())
    for (const letter of 'abc') {
      await desk.card(letter, { workspace: { kind: 'worktree', path: null, repo: '/srv/repo' } })
      await desk.finish(card(letter))
    }
    await desk.test.raw(`update task set workspace_state = 'live'`)
    const changes = (files: number): string => JSON.stringify({ files, added: 1, removed: 0, commit: null, note: null })
    await desk.test.raw(`update run set changes = '${changes(2)}' where task_id in ('${card('a')}', '${card('b')}')`)
    await desk.test.raw(`update run set changes = '${changes(0)}' where task_id = '${card('c')}'`)
    expect(await readInbox(desk)).toEqual(['unlanded a', 'unlanded b'])
    await desk.ok('land', { task: card('a'), commit: 'c1', tip: 't1', into: 'main', strategy: 'squash' })
    expect(await readInbox(desk)).toEqual(['unlanded b'])
  })

  it('a hidden card is listed again at its time, or when it changes', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await block(desk, 'a')
    const hide = (until: number | null) =>
      desk.ok('hide_from_inbox', { item: { kind: 'card', id: card('a') }, until }, person)
    await hide((await desk.store.now()) + 3_600_000)
    expect(await readInbox(desk)).toEqual([])
    await desk.test.raw('update inbox_mark set hidden_until = 1')
    expect(await readInbox(desk)).toEqual(['question a'])
    await hide(null)
    expect(await readInbox(desk)).toEqual([])
    await desk.test.pass(2)
    await desk.ok('unblock', { task: card('a') })
    await block2(desk)
    expect(await readInbox(desk)).toEqual(['question a'])
  })

  it('hidden items are listed with their marks, or alone, and can be shown again', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.card('b', { triage: true })
    await block(desk, 'a')
    await desk.ok('pause_account', { account: 'acme', cause: 'auth' })
    const hidden = { kind: 'card', id: card('a') } as const
    await desk.ok('hide_from_inbox', { item: hidden }, person)
    await desk.ok('hide_from_inbox', { item: { kind: 'account', name: 'acme' } }, person)
    expect(await readInbox(desk)).toEqual(['triage b'])
    expect(await readInbox(desk, { hidden: true })).toEqual(['account acme', 'question a', 'triage b'])
    expect(await readInbox(desk, { hidden: 'only' })).toEqual(['account acme', 'question a'])
    const boards = [{ slug: 'main', reviewer: null }]
    const { marks } = await desk.store.inbox({ boards, lanes: [], most: 50, hidden: true })
    expect(marks.map(({ kind, name }) => `${kind} ${name}`).toSorted()).toEqual(['account acme', `card ${card('a')}`])
    await desk.ok('show_in_inbox', { item: hidden }, person)
    expect(await readInbox(desk)).toEqual(['question a', 'triage b'])
    expect(await desk.kinds(card('a'))).toContain('shown_in_inbox')
    const planner = { kind: 'orchestrator', name: 'planner', taskId: null, runId: null } as const
    expect(await desk.refused('show_in_inbox', { item: hidden }, planner)).toBe('not_allowed')
  })

  it('a list of kinds leaves out all other items', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.card('b', { triage: true })
    await block(desk, 'a')
    await desk.ok('pause_account', { account: 'acme', cause: 'auth' })
    expect(await readInbox(desk, { kinds: ['triage'] })).toEqual(['triage b'])
    expect(await readInbox(desk, { kinds: ['account', 'question'] })).toEqual(['account acme', 'question a'])
  })

  it('a hidden account is listed again when it is paused again', async () => {
    const desk = await Desk.open(await open())
    const pause = () => desk.ok('pause_account', { account: 'acme', cause: 'auth' })
    await pause()
    await desk.ok('hide_from_inbox', { item: { kind: 'account', name: 'acme' } })
    expect(await readInbox(desk)).toEqual([])
    await desk.test.pass(2)
    await desk.ok('resume_account', { account: 'acme' })
    await pause()
    expect(await readInbox(desk)).toEqual(['account acme'])
  })

  it('only a person can hide a card from the inbox, and a purge removes the mark', async () => {
    const desk = await Desk.open(await open(), { trashMs: 0 })
    await desk.card('a')
    const item = { kind: 'card', id: card('a') } as const
    const planner = { kind: 'orchestrator', name: 'planner', taskId: null, runId: null } as const
    expect(await desk.refused('hide_from_inbox', { item }, planner)).toBe('not_allowed')
    expect(await desk.refused('hide_from_inbox', { item: { kind: 'account', name: 'none' } })).toBe('account_not_found')
    await desk.ok('hide_from_inbox', { item })
    expect(await desk.kinds(card('a'))).toContain('hidden_from_inbox')
    await desk.ok('delete', { task: card('a') })
    await desk.ok('purge', { task: card('a') }, clockwork)
    expect((await desk.store.exportAll())['inbox_mark']).toEqual([])
  })
})

const block2 = (desk: Desk) =>
  desk.ok('block', { task: card('a'), runId: runOf('b2'), reason: 'And which host?', kind: 'needs_input' })

describeStores('finished cards', (open) => {
  it('cards that finished long ago are hidden and counted separately', async () => {
    const desk = await Desk.open(await open())
    for (const letter of 'abc') await desk.card(letter)
    await desk.complete(card('a'))
    await desk.complete(card('b'))
    const since = (await desk.store.now()) - 3_600_000
    await desk.test.raw(`update task set completed_at = ${since - 1} where id = '${card('a')}'`)
    expect(await desk.store.finishedSince(['main'], { since, most: 5 })).toMatchObject({
      count: 1,
      cards: [{ id: card('b') }],
    })
    const filter = { unfinishedAt: since }
    expect(letters((await desk.store.tasks('main', filter)).map(({ id }) => id))).toBe('bc')
    expect(await desk.store.hiddenCount('main', {}, { at: since, most: 10 })).toEqual({ count: 1, isCut: false })
    expect(await desk.store.hiddenCount('main', { assignee: 'ghost' }, { at: since, most: 10 })).toEqual({
      count: 0,
      isCut: false,
    })
    expect(await desk.store.hiddenCount('main', { assignee: 'ghost' }, { at: since, most: 1 })).toMatchObject({
      isCut: true,
    })
  })
})
