import { expect, test } from 'vitest'
import { ClientError } from '../../src/client/index.ts'
import { staleKeys } from '../../web/src/api/keys.ts'
import type { FeedEvent } from '../../web/src/api/live-messages.ts'
import { stateAfter } from '../../web/src/api/live-state.ts'
import type { LiveState } from '../../web/src/api/live-state.ts'
import { withOutputs } from '../../web/src/api/patch-output.ts'
import type { Columns } from '../../web/src/api/queries.ts'

const LIVE: LiveState = { is: 'live' }
const error = new ClientError('server_unreachable', 'It does not answer.', { status: null })
const event = (fields: Partial<FeedEvent>): FeedEvent => ({
  id: 1,
  board: 'default',
  kind: 'commented',
  taskId: 't_1',
  runId: null,
  actor: 'ada',
  createdAt: 0,
  data: {},
  ...fields,
})

test('a lost connection shows the time of its first failure', () => {
  const lost = stateAfter(LIVE, { state: 'waiting', retryMs: 1, error }, 100)
  expect(lost).toEqual({ is: 'lost', since: 100 })
  expect(stateAfter(lost, { state: 'connecting' }, 200)).toBe(lost)
  expect(stateAfter(lost, { state: 'waiting', retryMs: 1, error }, 300)).toBe(lost)
  expect(stateAfter(lost, { state: 'open', cursor: 'a:1' }, 400)).toEqual(LIVE)
})

test('a stream that the server ends as planned is not a lost connection', () => {
  expect(stateAfter(LIVE, { state: 'waiting', retryMs: 1, error: null }, 100)).toBe(LIVE)
  expect(stateAfter(LIVE, { state: 'connecting' }, 100)).toBe(LIVE)
})

test('an event of a card makes its board, the inbox and the card stale', () => {
  expect(staleKeys(event({}))).toEqual([
    ['board', 'default'],
    ['board', null],
    ['boards'],
    ['inbox'],
    ['summary'],
    ['events'],
    ['totals'],
    ['agents', 'roster'],
    ['series'],
    ['card', 't_1'],
  ])
})

test('an event of a run also makes the costs stale', () => {
  expect(staleKeys(event({ kind: 'completed', runId: 'r_1' }))).toContainEqual(['stats', 'default'])
})

test('a new line of output changes only the card of its run', () => {
  const card = (id: string, run: object | null) => ({ id, run }) as Columns['columns'][number]['cards'][number]
  const columns = {
    columns: [
      { status: 'ready', cards: [card('t_1', null)] },
      {
        status: 'running',
        cards: [card('t_2', { id: 'r_2', lastOutput: null }), card('t_3', { id: 'r_3', lastOutput: 'a' })],
      },
    ],
  } as unknown as Columns
  const line = { board: 'default', taskId: 't_2', runId: 'r_2', line: 'npm test' }
  const next = withOutputs(columns, new Map([['r_2', line]]))
  expect(next.columns[1]?.cards[0]?.run?.lastOutput).toBe('npm test')
  expect(next.columns[0]).toBe(columns.columns[0])
  expect(next.columns[1]?.cards[1]).toBe(columns.columns[1]?.cards[1])
  expect(withOutputs(next, new Map([['r_2', line]]))).toBe(next)
})
