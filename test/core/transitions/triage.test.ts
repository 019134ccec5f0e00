import { describe, expect, test } from 'vitest'
import { card, clockwork, orchestrator, runOf, worker } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

const stranger = worker(card('w'), runOf('w'))

describe('specify', () => {
  test('`specify` makes a card ready and names the changed fields', () => {
    const board = new TestBoard()
    board.create('a', { triage: true, body: 'same' })
    const input = { task: card('a'), title: 'Clear', body: 'same', assignee: 'Tester' }
    expect(board.do('specify', input).status).toBe('ready')
    expect(board.task('a')).toMatchObject({ title: 'Clear', assignee: 'tester', status: 'ready' })
    expect(board.event('specified').data).toEqual({ fields: ['title', 'assignee'] })
  })

  test('a specified card with an open parent waits in todo', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { triage: true, parents: ['p'] })
    expect(board.do('specify', { task: card('a') }).status).toBe('todo')
    board.check()
  })

  test('`specify` is refused for workers and on cards outside triage', () => {
    const board = new TestBoard()
    board.create('a', { triage: true })
    expect(board.refused('specify', { task: card('a') }, stranger).code).toBe('not_allowed')
    board.do('specify', { task: card('a') })
    expect(board.refused('specify', { task: card('a') }).code).toBe('wrong_status')
  })
})

describe('decompose', () => {
  const child = (name: string, parents: string[] = [], extra: object = {}) => ({
    id: card(name),
    title: `Card ${name}`,
    parents: parents.map(card),
    ...extra,
  })
  const rough = (options: Parameters<TestBoard['create']>[1] = {}) => {
    const board = new TestBoard()
    board.create('root', { triage: true, ...options })
    return board
  }

  test('a decomposed card needs approval if an agent reassigns it, but not if a person does', () => {
    const input = { task: card('root'), cards: [child('one')], assignee: 'tester' }
    const [agents, persons] = [rough(), rough()]
    agents.do('decompose', input, orchestrator)
    persons.do('decompose', input)
    expect([agents, persons].map((board) => board.task('root').commandsApproved)).toEqual([false, true])
  })

  test('`decompose` splits a card, and the root waits for its children', () => {
    const board = rough({ tenant: 'blue', session: 's1' })
    const cards = [child('one'), child('two', ['one'])]
    expect(board.do('decompose', { task: card('root'), cards, assignee: 'tester' }).status).toBe('todo')
    expect(board.task('root')).toMatchObject({ status: 'todo', openParents: 2, assignee: 'tester' })
    expect(['one', 'two'].map(board.status)).toEqual(['ready', 'todo'])
    expect(board.task('one')).toMatchObject({ tenant: 'blue', session: 's1' })
    expect(board.event('created', 'one').data).toMatchObject({ decomposedFrom: card('root') })
    expect(board.event('decomposed').data).toEqual({ children: [card('one'), card('two')], assignee: 'tester' })
    board.check()
    board.complete('one')
    board.complete('two')
    expect(board.status('root')).toBe('ready')
    board.check()
  })

  test('only children without parents inherit the parents of the root', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('root', { triage: true, parents: ['p'] })
    const cards = [child('one'), child('two', ['one'])]
    expect(board.refused('decompose', { task: card('root'), cards })).toMatchObject({ code: 'store_busy' })
    board.do('decompose', { task: card('root'), cards, rootParents: [card('p')] })
    expect(['one', 'two'].map((name) => board.task(name).openParents)).toEqual([1, 1])
    expect(board.store.link(card('p'), card('one'))).not.toBeNull()
    expect(board.store.link(card('p'), card('two'))).toBeNull()
    board.check()
  })

  test('children share the directory or repository of the root, never its worktree', () => {
    const inDir = rough({ workspace: { kind: 'dir', path: '/srv/app' } })
    inDir.do('decompose', {
      task: card('root'),
      cards: [child('one'), child('two', [], { workspace: { kind: 'dir', path: '/other' } })],
    })
    expect(inDir.task('one').workspace).toMatchObject({ kind: 'dir', path: '/srv/app' })
    expect(inDir.task('two').workspace).toMatchObject({ kind: 'dir', path: '/other' })
    const inTree = rough({ workspace: { kind: 'worktree', repo: '/src' }, triage: false })
    const fence = inTree.claim('root')
    const made = { path: '/w/root', branch: 'root', base: 'c0ffee', baseBranch: null }
    inTree.do('note_worktree', { task: card('root'), fence, ...made }, clockwork)
    inTree.settle('root', { how: 'interrupted' })
    while (inTree.block('root').status !== 'triage') inTree.do('unblock', { task: card('root') })
    inTree.do('decompose', { task: card('root'), cards: [child('one')] })
    expect(inTree.task('one').workspace).toMatchObject({ kind: 'worktree', path: null, repo: '/src', base: null })
    const inScratch = rough()
    inScratch.do('decompose', { task: card('root'), cards: [child('one')] })
    expect(inScratch.task('one').workspace.kind).toBe('scratch')
  })

  test('children of a decomposition cannot wait for the root or for its children', () => {
    const board = rough()
    board.create('below', { parents: ['root'] })
    const ask = (...cards: ReturnType<typeof child>[]) => board.refused('decompose', { task: card('root'), cards })
    expect(ask(child('one', ['root'])).code).toBe('cycle')
    expect(ask(child('one', ['below'])).code).toBe('cycle')
    expect(ask(child('one', ['two']), child('two', ['one'])).code).toBe('cycle')
    expect(board.status('root')).toBe('triage')
  })

  test('children inherit priority and labels, and a card is split only once', () => {
    const board = rough({ priority: 5, labels: ['web'] })
    board.do('decompose', {
      task: card('root'),
      cards: [child('one'), child('two', [], { priority: 9, labels: ['api'] })],
    })
    expect(board.task('one')).toMatchObject({ priority: 5, labels: ['web'] })
    expect(board.task('two')).toMatchObject({ priority: 9, labels: ['web', 'api'] })
    expect(board.task('root').body).toContain('This card was split')
    for (const name of ['one', 'two']) board.complete(name)
    while (board.block('root').status !== 'triage') board.do('unblock', { task: card('root') })
    expect(board.refused('decompose', { task: card('root'), cards: [child('three')] }).code).toBe('already_decomposed')
  })

  test('the plan is kept in the event, and its empty lists are left out', () => {
    const board = rough()
    const usage = { model: 'm', inputTokens: 5, outputTokens: null, costUsd: 0.1 }
    const plan = { rationale: 'parts', usage, dropped: [{ card: 'a', after: 'z' }] }
    board.do('decompose', { task: card('root'), cards: [child('one')], plan })
    const { dropped } = plan
    expect(board.event('decomposed').data).toEqual({
      children: [card('one')],
      assignee: board.task('root').assignee,
      rationale: 'parts',
      usage,
      dropped,
    })
  })

  test('taken ids, idempotency keys and a bad number of children are refused', () => {
    const board = rough()
    board.create('a')
    const ask = (...cards: ReturnType<typeof child>[]) => board.refused('decompose', { task: card('root'), cards }).code
    expect(ask(child('a'))).toBe('id_taken')
    expect(ask(child('one'), child('one'))).toBe('invalid_input')
    expect(ask(child('one', [], { idempotencyKey: 'k' }))).toBe('invalid_input')
    expect(ask()).toBe('invalid_input')
    expect(ask(...Array.from({ length: 13 }, (_, at) => child(String(at))))).toBe('invalid_input')
  })

  test('`decompose` is refused for workers, the board and cards outside triage', () => {
    const board = rough()
    const ask = { task: card('root'), cards: [child('one')] }
    for (const actor of [stranger, clockwork]) expect(board.refused('decompose', ask, actor).code).toBe('not_allowed')
    board.do('decompose', ask)
    expect(board.refused('decompose', { ...ask, cards: [child('two')] }).code).toBe('wrong_status')
  })
})
