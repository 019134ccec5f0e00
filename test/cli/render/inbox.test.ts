// Tests the inbox and the screen of `muster` on terminals of 60, 80 and 120 columns.
import { describe, expect, test } from 'vitest'
import { glanceText } from '../../../src/cli/render/glance.ts'
import { inboxText } from '../../../src/cli/render/inbox.ts'
import { widthOf } from '../../../src/cli/render/width.ts'
import type { InboxKind } from '../../../src/core/inbox.ts'
import type { Glance } from '../../../src/operations/boards/at-a-glance.ts'
import type { InboxItem } from '../../../src/operations/inbox/views.ts'

const NOW = 1_800_000_000_000
const MINUTE = 60_000

const terminal = (columns: number) => ({ columns, rows: 24, colors: false })

interface Given {
  readonly letter: string
  readonly title: string
  readonly board?: string
  readonly code: string
  readonly params: object
  readonly remedies: readonly (readonly [operation: string, ...asks: string[]])[]
  readonly question?: string
  readonly minutes: number
}

function item(kind: InboxKind, { letter, title, board = 'default', code, params, remedies, question, minutes }: Given) {
  const id = `t_${letter.repeat(10)}`
  const calls = remedies.map(([operation, ...asks]) => ({ operation, input: { task: id }, asks }))
  return {
    id,
    kind,
    board,
    task: { id, title, status: 'ready', assignee: 'coder', priority: 0, tenant: null },
    account: null,
    since: NOW - minutes * MINUTE,
    reason: { code, params, until: null, gate: 'blocked', remedies: calls },
    question: question ?? null,
    remedies: kind === 'question' ? [{ operation: 'answer', input: { task: id }, asks: ['text'] }] : calls,
  } as unknown as InboxItem
}

const ACCOUNT = {
  id: 'claude',
  kind: 'account',
  board: null,
  task: null,
  account: 'claude',
  since: NOW - 26 * 60 * MINUTE,
  reason: {
    code: 'account_paused',
    params: { account: 'claude', cause: 'auth', reason: 'Invalid API key' },
    until: null,
    gate: 'account_paused',
    remedies: [{ operation: 'resume', input: { kind: 'account', name: 'claude' }, asks: [] }],
  },
  question: 'Invalid API key',
  remedies: [],
} as unknown as InboxItem

const ITEMS = [
  ACCOUNT,
  item('question', {
    letter: 'a',
    title: 'Serve the documentation of the project on a free port',
    code: 'blocked',
    params: { kind: 'needs_input', reason: 'Which port?', by: 'agent:coder' },
    remedies: [['answer', 'text']],
    question: 'Which port should the server use, and which host name may it have?',
    minutes: 185,
  }),
  item('review', {
    letter: 'b',
    title: 'Paint the wall',
    board: 'house',
    code: 'review_by_person',
    params: { boardReviewer: null },
    remedies: [['approve'], ['request-changes', 'reason']],
    minutes: 12,
  }),
]

describe('the inbox', () => {
  test('each item shows its title, question and command at 80 columns', () => {
    expect(inboxText(ITEMS, { terminal: terminal(80), now: NOW })).toBe(
      [
        '○ Account claude  26 h ago',
        '  Account claude is paused (auth): Invalid API key',
        '  → Log in with claude, then run: muster resume account claude',
        '? Serve the documentation of the project on a free …  t_aaaaaa  default  3 h ago',
        '  Which port should the server use, and which host name may it have?',
        "  → muster answer t_aaaaaaaaaa '…'",
        '◎ Paint the wall  t_bbbbbb  house  12 min ago',
        '  The card waits for a review by a person.',
        "  → muster approve t_bbbbbbbbbb, or muster request-changes t_bbbbbbbbbb '…'",
      ].join('\n'),
    )
  })

  test('text is cut at 60 columns, but commands stay in one piece', () => {
    const shown = inboxText(ITEMS, { terminal: terminal(60), now: NOW })
    expect(shown.split('\n').filter((line) => widthOf(line) > 60)).toEqual([])
    expect(shown).toContain(`? Serve the documentation of th…  t_aaaaaa  default  3 h ago
  Which port should the server use, and which host name may…
  → muster answer t_aaaaaaaaaa '…'`)
    expect(shown).toContain(`  → muster approve t_bbbbbbbbbb, or
    muster request-changes t_bbbbbbbbbb '…'`)
  })

  test('titles are not cut at 120 columns or in a pipe', () => {
    for (const where of [terminal(120), null])
      expect(inboxText(ITEMS, { terminal: where, now: NOW })).toContain(
        '? Serve the documentation of the project on a free port  t_aaaaaa  default  3 h ago\n',
      )
  })

  test('the board of an item is shown only if there are several', () => {
    expect(inboxText(ITEMS.slice(0, 2), { terminal: null, now: NOW })).not.toContain('default')
  })
})

const run = (letter: string, title: string, minutes: number) => ({
  task: { id: `t_${letter.repeat(10)}`, title },
  run: { agent: 'coder', claimedBy: 'x', startedAt: NOW - minutes * MINUTE },
})

const GLANCE = {
  now: NOW,
  dispatcher: { is: 'active' },
  running: ['c', 'd', 'e', 'f', 'g'].map((letter, at) => run(letter, `Card ${letter}`, at + 1)),
  items: [...ITEMS, ...ITEMS],
  moreItems: false,
  finished: {
    count: 12,
    cards: ['h', 'i', 'j'].map((letter, at) => ({
      id: `t_${letter.repeat(10)}`,
      title: `Finished ${letter}`,
      completedAt: NOW - at * 61 * MINUTE,
    })),
  },
  ready: 3,
  cards: 20,
  boards: 1,
} as unknown as Glance

describe('muster without a command', () => {
  test('the overview shows running cards, inbox, finished cards and the next command', () => {
    expect(glanceText(GLANCE, terminal(80))).toBe(
      [
        'Muster is running.',
        '',
        'Running 5',
        '  ● Card c  t_cccccc  coder  1 min',
        '  ● Card d  t_dddddd  coder  2 min',
        '  ● Card e  t_eeeeee  coder  3 min',
        '  and 2 more: muster ps',
        'Needs you 6',
        '  ○ Account claude is paused (auth): Invalid API key  26 h ago',
        '  ? Serve the documentation of the project on a free port: Which port …  3 h ago',
        '  ◎ Paint the wall: The card waits for a review by a person.  12 min ago',
        '  to list all: muster inbox',
        'Finished in 24 h 12',
        '  ✓ Finished h  t_hhhhhh  just now',
        '  ✓ Finished i  t_iiiiii  1 h ago',
        '  ✓ Finished j  t_jjjjjj  2 h ago',
        '',
        'Next: muster inbox',
      ].join('\n'),
    )
  })

  test.each([60, 120])('the overview fits %i columns and 20 lines', (columns) => {
    const lines = glanceText(GLANCE, terminal(columns)).split('\n')
    expect(lines.length).toBeLessThanOrEqual(20)
    expect(lines.filter((line) => widthOf(line) > columns)).toEqual([])
  })

  test('the next command depends on inbox, cards and dispatcher', () => {
    const next = (change: Partial<Glance>) =>
      glanceText({ ...GLANCE, items: [], running: [], ...change }, terminal(80))
        .split('\n')
        .at(-1)
    expect(next({ cards: 0 })).toMatch(/^Next: muster create /)
    expect(next({ dispatcher: { is: 'absent' } })).toBe('Next: muster up')
    expect(next({ dispatcher: { is: 'absent' }, ready: 0 })).toBe('Next: muster board')
    expect(next({})).toBe('Next: muster board')
    expect(next({ items: ITEMS, cards: 3 })).toBe('Next: muster inbox')
  })
})
