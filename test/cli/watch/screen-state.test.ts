// Tests the full-screen board without a terminal: keys and news change the state, and a state becomes lines.
import { describe, expect, test } from 'vitest'
import { drawFrame } from '../../../src/cli/watch/frame.ts'
import { KeyReader } from '../../../src/cli/watch/keys.ts'
import { press } from '../../../src/cli/watch/press.ts'
import { receive } from '../../../src/cli/watch/receive.ts'
import type { News } from '../../../src/cli/watch/receive.ts'
import { selectedCard } from '../../../src/cli/watch/selection.ts'
import { emptyState } from '../../../src/cli/watch/state.ts'
import type { Effect, WatchState } from '../../../src/cli/watch/state.ts'
import { widthOf } from '../../../src/cli/render/width.ts'
import type { ColumnsView } from '../../../src/operations/boards/show-columns.ts'
import { NOW, asking, boardOf, card, failed, running } from './sample-board.ts'

const BOARD = boardOf({
  triage: [card('t_aaaaaaaa', 'Think about it', { assignee: null })],
  ready: [card('t_bbbbbbbb', 'Write the notes'), card('t_cccccccc', '日本語のとても長いタイトルはここで切られます')],
  running: [running('t_dddddddd', 'Serve the pages', 'compiling \u001b[31mparser')],
  blocked: [asking('t_eeeeeeee', '포트를 고르세요', '8080을 쓸까요?'), failed('t_ffffffff', 'Deploy')],
})

const FRESH = emptyState({ size: { columns: 130, rows: 20 }, hasKeyboard: true, program: undefined, now: NOW })

const boardState = (view: ColumnsView = BOARD, columns = 130, rows = 20): WatchState =>
  receive({ ...FRESH, size: { columns, rows } }, { kind: 'board', view })

function typed(state: WatchState, text: string): { state: WatchState; effects: readonly Effect[] } {
  const effects: Effect[] = []
  let current = state
  const reader = new KeyReader()
  for (const key of [...reader.take(text), ...reader.flush()]) {
    const step = press(current, key)
    current = step.state
    effects.push(...step.effects)
  }
  return { state: current, effects }
}

const after = (state: WatchState, text: string): WatchState => typed(state, text).state
const news = (state: WatchState, ...all: readonly News[]): WatchState => all.reduce(receive, state)
const linesOf = (state: WatchState): readonly string[] => drawFrame(state, { colors: false }).lines
const selected = (state: WatchState): string | undefined => selectedCard(state)?.id

describe('the board', () => {
  test('columns are side by side, with their counts and the selected card marked', () => {
    const [title, headings, , first, second, , output] = linesOf(boardState())
    expect(title).toMatch(/^default {2}1 running {2}2 blocked +\d\d:\d\d:\d\d$/)
    expect(headings).toMatch(/^◇ Triage 1 +▶ Ready 2 +● Running 1 +⊘ Blocked 2 *$/)
    expect(first).toMatch(/^▌ Think about it +Write the notes +Serve the pages +포트를 고르세요 *$/)
    expect(second).toMatch(/^▌ t_aaaaaa \(unassigned\) +t_bbbbbb coder/)
    expect(output).toMatch(/日本語のとても長い.* +> compiling \\x1b\[31mparser/)
  })

  test.each([
    [24, 6],
    [40, 12],
    [80, 24],
    [130, 20],
    [300, 60],
  ])('at %i × %i, every line fits, with and without colours', (columns, rows) => {
    for (const colors of [false, true])
      for (const keys of ['', 'jjj', '\t\t', '\r', 'e', '?', '/x', '\t\t\ta'])
        for (const state of [boardState(BOARD, columns, rows), { ...FRESH, size: { columns, rows } }]) {
          const { lines } = drawFrame(after(state, keys), { colors })
          expect(lines).toHaveLength(rows)
          // eslint-disable-next-line no-control-regex -- colours take no room
          const widths = lines.map((line) => widthOf(line.replaceAll(/\u001b\[\d+m/g, '')))
          expect(Math.max(...widths)).toBeLessThanOrEqual(columns)
        }
  })

  test('a narrow terminal shows one column at a time', () => {
    const state = boardState(BOARD, 40, 12)
    expect(linesOf(state)[0]).toContain('1 of 4')
    expect(linesOf(state).join('\n')).not.toContain('Write the notes')
    expect(linesOf(after(state, '\t'))[1]).toMatch(/^▶ Ready 2 *$/)
  })

  test('keys move between cards and columns, and stop at the ends', () => {
    const state = boardState()
    expect(selected(state)).toBe('t_aaaaaaaa')
    expect(selected(after(state, '\u001b[C'))).toBe('t_bbbbbbbb')
    expect(selected(after(state, '\tj'))).toBe('t_cccccccc')
    expect(selected(after(state, '\tjjj'))).toBe('t_cccccccc')
    expect(selected(after(state, '\tjk'))).toBe('t_bbbbbbbb')
    expect(selected(after(state, '\t\t\th'))).toBe('t_dddddddd')
    expect(selected(after(state, '\t\t\t\t\tG'))).toBe('t_ffffffff')
    expect(selected(after(state, '\u001b[Z'))).toBe('t_aaaaaaaa')
  })

  test('the selection follows its card, and stays in its place if the card disappears', () => {
    const state = after(boardState(), '\t')
    const moved = boardOf({ ready: [card('t_cccccccc', 'C')], running: [running('t_bbbbbbbb', 'Write', null)] })
    expect(news(state, { kind: 'board', view: moved }).selected).toMatchObject({
      column: 'Running',
      card: 't_bbbbbbbb',
    })
    const gone = boardOf({ ready: [card('t_cccccccc', 'C'), card('t_gggggggg', 'G')] })
    expect(selected(news(state, { kind: 'board', view: gone }))).toBe('t_cccccccc')
    expect(news(state, { kind: 'board', view: boardOf({}) }).selected).toBeNull()
  })

  test('a long column scrolls with the selection and counts the cards below', () => {
    const many = boardOf(
      { ready: Array.from({ length: 50 }, (_, at) => card(`t_${10_000 + at}xxx`, `Card ${at}`)) },
      { counts: { ready: 10_000 } },
    )
    const state = boardState(many, 60, 14)
    expect(linesOf(state).at(-2)).toContain('and 9997 more')
    const lower = after(state, 'j'.repeat(20))
    expect(linesOf(lower).join('\n')).toContain('▌ Card 20 ')
    expect(after(lower, 'g').tops['Ready']).toBe(0)
    expect(linesOf(after(state, 'G')).join('\n')).toContain('▌ Card 49 ')
  })

  test('a running card shows that its agent has printed nothing for minutes', () => {
    const silent = boardOf({ running: [running('t_dddddddd', 'Serve', 'compiling', NOW - 9 * 60_000)] })
    expect(linesOf(boardState(silent)).join('\n')).toContain('no output for 9 min')
  })

  test('cards of all boards show their board, and an empty board shows what to do', () => {
    const all = boardOf({ ready: [card('t_bbbbbbbb', 'Write', { board: 'site' })] }, { board: null })
    expect(linesOf(boardState(all)).slice(0, 6).join('\n')).toMatch(/^All boards[^]*on site/)
    expect(linesOf(boardState(boardOf({}))).join('\n')).toContain('To add one: muster create')
  })
})

describe('keys on the board', () => {
  test('the last line lists the keys that work for the selected card', () => {
    const state = boardState()
    expect(linesOf(state).at(-1)).toBe('? keys  q quit  Enter card  / filter  p pause')
    expect(linesOf(after(state, '\t\t')).at(-1)).toContain('Enter card  l log  / filter')
    expect(linesOf(after(state, '\t\t\t')).at(-1)).toContain('a answer')
    expect(linesOf(after(state, '\t\t\tj')).at(-1)).toContain('l log  r retry')
    expect(linesOf({ ...state, hasKeyboard: false }).at(-1)).toBe('Ctrl-C to quit')
  })

  test('an answer is typed below the card, and sent with Enter', () => {
    const open = after(boardState(), '\t\t\ta')
    expect(open.pages).toMatchObject([{ kind: 'card', card: 't_eeeeeeee' }])
    expect(drawFrame(after(open, '네q?'), { colors: false })).toMatchObject({ cursor: { row: 19, column: 21 } })
    expect(linesOf(after(open, '네q?')).at(-1)).toBe('Answer t_eeeeee: 네q?')
    const sent = typed(open, '8080\r')
    expect(sent.effects).toMatchObject([{ kind: 'run', remedy: { operation: 'answer', input: { text: '8080' } } }])
    expect(sent.state).toMatchObject({ pages: [], editor: null })
    expect(typed(open, '  \r')).toMatchObject({ effects: [], state: { editor: { kind: 'answer' } } })
    expect(after(open, '8080\u001b')).toMatchObject({ pages: [], editor: null })
  })

  test('the keys for retry, answer and browser work only on cards that allow these actions', () => {
    const state = boardState()
    expect(typed(state, '\t\t\tjr').effects).toMatchObject([
      { kind: 'run', remedy: { operation: 'unblock', input: { task: 't_ffffffff' } } },
    ])
    expect(typed(state, 'r')).toMatchObject({
      effects: [],
      state: { notice: { text: "t_aaaaaa can't be retried now." } },
    })
    expect(after(state, 'a')).toMatchObject({ notice: { text: 't_aaaaaa has no question.' } })
    expect(typed(state, 'o').effects).toEqual([{ kind: 'browse', board: 'default', card: 't_aaaaaaaa' }])
  })

  test('the space key pauses the board, and resumes a paused board', () => {
    const state = boardState()
    expect(typed(state, ' ').effects).toEqual([{ kind: 'pause', board: 'default', isPaused: true }])
    const paused = news(state, { kind: 'paused', boards: ['default'] })
    expect(linesOf(paused)[0]).toMatch(/^default {2}paused/)
    expect(typed(paused, 'p').effects).toEqual([{ kind: 'pause', board: 'default', isPaused: false }])
  })

  test('a filter applies while a person types, Esc restores the old filter, and Enter keeps the new filter', () => {
    const open = after(boardState(), '/한')
    expect([open.filter, linesOf(open).at(-1)]).toEqual(['한', '/한'])
    expect(after(open, '\u001b')).toMatchObject({ filter: '', editor: null })
    const kept = after(open, '국\r')
    expect(kept).toMatchObject({ filter: '한국', editor: null })
    expect(linesOf(news(kept, { kind: 'board', view: boardOf({}) })).join('\n')).toContain('No card contains "한국"')
    expect(after(kept, '\u001b').filter).toBe('')
  })

  test.each([
    ['q', 'quit'],
    ['\u0003', 'quit'],
    ['/x\u0003', 'quit'],
    ['\u001a', 'suspend'],
    ['\u000c', 'redraw'],
  ])('the key %j has the effect "%s"', (keys, kind) => {
    expect(typed(boardState(), keys).effects.at(-1)).toEqual({ kind })
  })
})

describe('pages', () => {
  test('Esc and q return to the previous page', () => {
    const state = after(boardState(), '\t\tl?')
    expect(state.pages.map(({ kind }) => kind)).toEqual(['log', 'help'])
    expect(after(state, 'q').pages.map(({ kind }) => kind)).toEqual(['log'])
    expect(typed(state, 'q\u001b')).toMatchObject({ effects: [], state: { pages: [] } })
  })

  test('the log follows its end until the reader scrolls up', () => {
    const open = after(boardState(BOARD, 60, 10), '\t\tl')
    const log = (from: number, to: number): News => ({
      kind: 'log',
      card: 't_dddddddd',
      passages: Array.from(
        { length: to - from },
        (_, at) => ({ kind: 'printed', text: `line ${from + at}\n` }) as const,
      ),
    })
    const following = news(open, log(0, 30))
    expect(linesOf(following)[8]).toBe('line 29')
    const stopped = after(following, 'k')
    expect(linesOf(news(stopped, log(30, 40)))[8]).toBe('line 28')
    expect(linesOf(stopped).at(-1)).toContain('G follow')
    expect(linesOf(news(after(stopped, 'G'), log(30, 40)))[8]).toBe('line 39')
    expect(linesOf(news(after(stopped, 'g'), log(30, 40)))[1]).toBe('line 0')
    // Old passages are dropped, and the reader sees the same line as before.
    expect(linesOf(news(stopped, log(30, 2_010)))[8]).toBe('line 28')
    expect(linesOf(news(following, log(30, 9_000), { kind: 'log_ends', card: 't_dddddddd' })).slice(6, 9)).toEqual([
      'line 8999',
      '',
      '(the run has ended)',
    ])
  })

  test('printed pieces of a line are joined, wrapped and escaped', () => {
    const open = after(boardState(BOARD, 24, 12), '\t\tl')
    const pieces = ['한국어 출력이 길면', ' 줄이 바뀝니다 \u001b[2J', '\n']
    const state = pieces.reduce(
      (current, text) => news(current, { kind: 'log', card: 't_dddddddd', passages: [{ kind: 'printed', text }] }),
      open,
    )
    expect(linesOf(state).slice(1, 4)).toEqual(['한국어 출력이 길면 줄이', String.raw`바뀝니다 \x1b[2J`, ''])
  })

  test('output of another card does not change the log page', () => {
    const open = after(boardState(), '\t\tl')
    expect(news(open, { kind: 'log', card: 't_other', passages: [{ kind: 'printed', text: 'x' }] })).toEqual(open)
  })
})
