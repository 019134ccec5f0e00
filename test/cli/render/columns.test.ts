// Tests the board as columns on terminals of 60, 80 and 150 columns, and in a pipe.
import { expect, test } from 'vitest'
import { columnsText } from '../../../src/cli/render/columns.ts'
import { widthOf } from '../../../src/cli/render/width.ts'
import type { ColumnsView } from '../../../src/operations/boards/show-columns.ts'
import { STATUSES } from '../../../src/core/vocabulary.ts'
import type { Status } from '../../../src/core/vocabulary.ts'

const NOW = 1_800_000_000_000

type Card = Partial<ColumnsView['columns'][number]['cards'][number]>

const reason = (code: string, params: object) =>
  ({ code, params, until: null, gate: 'assignee', remedies: [] }) as unknown as NonNullable<Card['reason']>

const card = (letter: string, title: string, more: Card = {}): Card =>
  ({ id: `t_${letter.repeat(10)}`, title, assignee: 'coder', reason: null, run: null, ...more }) as Card

const BOARD: Partial<Record<Status, { count?: number; cards: Card[] }>> = {
  triage: { cards: [card('a', 'Think about the next release', { assignee: null, reason: reason('triage', {}) })] },
  todo: {
    cards: [
      card('b', 'Hang the picture', {
        reason: reason('parents_open', {
          count: 1,
          parents: [{ id: 't_c', title: 'Paint the wall', status: 'ready' }],
        }),
      }),
    ],
  },
  ready: {
    count: 14,
    cards: [
      card('c', 'Write the release notes of this year', {
        assignee: 'codr',
        reason: reason('agent_unknown', { agent: 'codr', role: 'assignee' }),
      }),
      card('d', '日本語のとても長いタイトルはここで切られます'),
    ],
  },
  running: {
    cards: [
      card('e', 'Serve the documentation', {
        run: {
          id: 'r_e',
          attempt: 2,
          by: 'tester',
          startedAt: NOW - 252_000,
          elapsedMs: 252_000,
          lastOutput: null,
        } as Card['run'] & object,
      }),
    ],
  },
  blocked: {
    cards: [
      card('f', 'Choose a port', {
        reason: reason('blocked', { kind: 'needs_input', reason: 'Which port?', by: 'x' }),
      }),
    ],
  },
  done: { cards: [card('g', 'Say hello')] },
}

const VIEW = {
  board: 'default',
  now: NOW,
  columns: STATUSES.filter((status) => status !== 'archived').map((status) => {
    const cards = (BOARD[status]?.cards ?? []).map((one) => ({ ...one, status }))
    return { status, count: BOARD[status]?.count ?? cards.length, isExact: true, cards }
  }),
} as unknown as ColumnsView

const drawn = (columns: number | null): string =>
  columnsText(VIEW, { terminal: columns === null ? null : { columns, rows: 24, colors: false }, limit: 8 })

test('in a pipe, the columns are printed below each other with uncut titles', () => {
  expect(drawn(null)).toBe(`◇ Triage 1
  Think about the next release  t_aaaaaa  (unassigned)

◻ To do 1
  Hang the picture  t_bbbbbb  coder
    waits for Paint the wall

▶ Ready 14
  Write the release notes of this year  t_cccccc  codr
    agent codr is unknown
  日本語のとても長いタイトルはここで切られます  t_dddddd  coder
  and 12 more

● Running 1
  Serve the documentation  t_eeeeee  tester
    4.2 min, attempt 2

⊘ Blocked 1
  Choose a port  t_ffffff  coder
    Which port?

✓ Done in 24 h 1
  Say hello  t_gggggg  coder`)
})

test('on a terminal 60 wide, the columns are printed below each other with cut titles', () => {
  const shown = drawn(60)
  expect(shown.split('\n').filter((line) => widthOf(line) > 60)).toEqual([])
  expect(shown).toContain(`▶ Ready 14
  Write the release notes of this year  t_cccccc  codr
    agent codr is unknown
  日本語のとても長いタイトルはここで切られ…  t_dddddd  coder
  and 12 more`)
})

test('on a terminal 80 wide, the board has two rows of three columns', () => {
  expect(drawn(80)).toBe(
    [
      '◇ Triage 1                 ◻ To do 1                  ▶ Ready 14',
      '─────────────────────────  ─────────────────────────  ─────────────────────────',
      'Think about the next       Hang the picture           Write the release notes',
      'release                    t_bbbbbb coder             of this year',
      't_aaaaaa (unassigned)      waits for Paint the wall   t_cccccc codr',
      '                                                      agent codr is unknown',
      '',
      '                                                      日本語のとても長いタイト',
      '                                                      ルはここで切られます',
      '                                                      t_dddddd coder',
      '',
      '                                                      and 12 more',
      '',
      '● Running 1                ⊘ Blocked 1                ✓ Done in 24 h 1',
      '─────────────────────────  ─────────────────────────  ─────────────────────────',
      'Serve the documentation    Choose a port              Say hello',
      't_eeeeee tester            t_ffffff coder             t_gggggg coder',
      '4.2 min, attempt 2         Which port?',
    ].join('\n'),
  )
})

test('a terminal 150 wide shows six columns side by side', () => {
  expect(drawn(150)).toBe(
    [
      '◇ Triage 1               ◻ To do 1                ▶ Ready 14               ● Running 1              ⊘ Blocked 1              ✓ Done in 24 h 1',
      '───────────────────────  ───────────────────────  ───────────────────────  ───────────────────────  ───────────────────────  ───────────────────────',
      'Think about the next     Hang the picture         Write the release notes  Serve the documentation  Choose a port            Say hello',
      'release                  t_bbbbbb coder           of this year             t_eeeeee tester          t_ffffff coder           t_gggggg coder',
      't_aaaaaa (unassigned)    waits for Paint the      t_cccccc codr            4.2 min, attempt 2       Which port?',
      '                         wall                     agent codr is unknown',
      '',
      '                                                  日本語のとても長いタイ',
      '                                                  トルはここで切られます',
      '                                                  t_dddddd coder',
      '',
      '                                                  and 12 more',
    ].join('\n'),
  )
})

test('an empty board names the command that adds a card', () => {
  const empty = { ...VIEW, columns: VIEW.columns.map((column) => ({ ...column, count: 0, cards: [] })) }
  expect(columnsText(empty, { terminal: null, limit: 8 })).toBe(
    'Board default has no open cards. To add one: muster create "…"',
  )
})

test('colours do not change the text', () => {
  // eslint-disable-next-line no-control-regex -- the pattern matches colour codes
  const COLOUR = /\u001b\[\d+m/g
  const coloured = columnsText(VIEW, { terminal: { columns: 80, rows: 24, colors: true }, limit: 8 })
  expect(coloured).toMatch(COLOUR)
  const plain = (text: string) =>
    text
      .replaceAll(COLOUR, '')
      .split('\n')
      .map((line) => line.trimEnd())
  expect(plain(coloured)).toEqual(plain(drawn(80)))
})
