/** Tests the functions of the transcript: pages of rows, following, open rows, search, and the colours of output. */
import { describe, expect, test } from 'vitest'
import { ansiPieces } from '../../web/src/card/output/ansi.ts'
import { plainText } from '../../web/src/ui/plain-text.ts'
import { matchesIn } from '../../web/src/card/output/find-ranges.ts'
import { followsAfter, isAtEnd } from '../../web/src/card/transcript/follow.ts'
import { chosenRun, isOpenAtFirst, shownTime } from '../../web/src/card/transcript/row-look.ts'
import { RowPages } from '../../web/src/card/transcript/row-pages.ts'
import type { Row, RowsAsked, RowsPage } from '../../web/src/card/transcript/row-pages.ts'
import { stepTo } from '../../web/src/card/transcript/step-to.ts'
import { textLines } from '../../web/src/card/transcript/text-lines.ts'

const lineRow = (n: number, text = `line ${n}`): Row => ({
  n,
  at: n * 1000,
  kind: 'output',
  text: { text, lines: 1, isWhole: true },
  aside: false,
})

/** Makes a server with a growing log. The rows from `settled` on change with each read. */
function makeServer(size: number) {
  const asked: RowsAsked[] = []
  const log = { size, settled: size, isLive: true, reads: 0, fails: false }
  const read = async (given: RowsAsked): Promise<RowsPage> => {
    asked.push(given)
    log.reads += 1
    if (log.fails) throw new Error('no log')
    const from = given.from ?? Math.max(0, log.size - given.limit)
    const length = Math.max(0, Math.min(given.limit, log.size - from))
    const rows = Array.from({ length }, (_, at) => lineRow(from + at, `${from + at} read ${log.reads}`))
    return {
      run: 'r_1',
      isLive: log.isLive,
      total: log.size,
      settled: log.settled,
      from: Math.min(from, log.size),
      rows,
      matches: null,
    }
  }
  return { log, asked, pages: new RowPages(read) }
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))
const textAt = (pages: RowPages, position: number): string | undefined => {
  const row = pages.rowAt(position)
  return row?.kind === 'output' ? row.text.text : undefined
}

describe('the pages of rows', () => {
  test('the transcript loads its end first, and then the rows that come into view', async () => {
    const { asked, pages } = makeServer(50_000)
    pages.refresh()
    await settle()
    expect([asked, pages.state.get().total, pages.rowAt(49_999)?.n]).toEqual([[{ limit: 100 }], 50_000, 49_999])
    pages.want(1_000, 1_030)
    await settle()
    expect(asked.at(-1)).toEqual({ from: 960, limit: 110 })
    expect(pages.rowAt(1_015)?.n).toBe(1_015)
  })

  test('final rows are read once, and unfinished rows are read again after new output', async () => {
    const { log, asked, pages } = makeServer(30)
    log.settled = 29
    pages.refresh()
    await settle()
    pages.want(0, 30)
    await settle()
    expect(asked).toHaveLength(1)
    log.size = 32
    pages.refresh()
    await settle()
    expect(asked.at(-1)).toEqual({ from: 29, limit: 100 })
    expect([textAt(pages, 28), textAt(pages, 29), textAt(pages, 31)]).toEqual(['28 read 1', '29 read 2', '31 read 2'])
  })

  test('the transcript keeps a bounded number of rows however far the reader scrolls', async () => {
    const { pages } = makeServer(100_000)
    pages.refresh()
    await settle()
    for (let at = 0; at < 100_000; at += 150) {
      pages.want(at, at + 40)
      await settle()
    }
    expect(pages.size).toBeLessThanOrEqual(3_200)
  })

  test('a failed read of rows is reported, and a later notice causes another read', async () => {
    const { log, pages } = makeServer(3)
    log.fails = true
    pages.refresh()
    await settle()
    expect([pages.state.get().isLoaded, pages.state.get().error]).toEqual([false, new Error('no log')])
    log.fails = false
    pages.refresh()
    await settle()
    expect([pages.state.get().isLoaded, pages.state.get().error]).toEqual([true, null])
  })
})

test('scrolling up stops following a run, and scrolling to the end resumes it', () => {
  const at = (top: number) => ({ top, height: 1_000, view: 200 })
  const follows = (isFollowing: boolean, before: number, top: number, byReader = true): boolean =>
    followsAfter({ isFollowing, before, place: at(top), byReader })
  expect(isAtEnd(at(790))).toBe(true)
  expect(follows(true, 800, 700)).toBe(false)
  expect(follows(false, 300, 500)).toBe(false)
  expect(follows(false, 500, 800)).toBe(true)
  // Rows above got smaller.
  expect(follows(true, 800, 700, false)).toBe(true)
})

test('failed calls and changes are open at first', () => {
  const call = {
    n: 0,
    at: null,
    kind: 'call' as const,
    tool: 'Bash',
    action: 'run' as const,
    title: 'make',
    state: 'ok' as const,
    endedAt: null,
    exitCode: null,
    input: null,
    output: { text: 'x', lines: 1, isWhole: true },
    edit: null,
  }
  expect(isOpenAtFirst(call, 'auto')).toBe(false)
  expect(isOpenAtFirst({ ...call, state: 'failed' }, 'auto')).toBe(true)
  expect(isOpenAtFirst({ ...call, state: 'failed' }, 'none')).toBe(false)
  expect(isOpenAtFirst(call, 'all')).toBe(true)
})

test('only the first row of a second shows the time', () => {
  expect(shownTime(lineRow(5), undefined, 2_000)).toBe(3_000)
  expect(shownTime(lineRow(5), { ...lineRow(5), at: 5_900 }, 2_000)).toBeNull()
  expect(shownTime({ ...lineRow(1), at: null }, undefined, 0)).toBeNull()
})

test('the URL selects an attempt by number or id, or else the latest agent run', () => {
  const runs = [
    { id: 'r_a', attempt: 1, kind: 'agent' },
    { id: 'r_b', attempt: 2, kind: 'agent' },
    { id: 'r_c', attempt: 3, kind: 'manual' },
  ]
  expect([chosenRun(runs, null)?.id, chosenRun(runs, '1')?.id, chosenRun(runs, 'r_a')?.id]).toEqual([
    'r_b',
    'r_a',
    'r_a',
  ])
  expect(chosenRun([], null)).toBeUndefined()
})

test('the search goes from the last match to the first', () => {
  const matches = [3, 8, 20]
  expect([stepTo(matches, 3, 1), stepTo(matches, 20, 1), stepTo(matches, 3, -1)]).toEqual([8, 3, 20])
  // Row 5 is not among the matches any more.
  expect([stepTo(matches, 5, 1), stepTo(matches, 5, -1), stepTo([], 5, 1)]).toEqual([8, 3, null])
})

test('the search ignores case, and the positions of matches are those of the original text', () => {
  expect(matchesIn('Stock and STOCK', 'stock')).toEqual([
    [0, 5],
    [10, 15],
  ])
  expect(matchesIn('anything', '')).toEqual([])
  expect(matchesIn('İİ stock', 'stock')).toEqual([[3, 8]])
})

describe('terminal output', () => {
  test('terminal output keeps its colours and loses all other control sequences', () => {
    const pieces = ansiPieces(
      '\u001B[31;1merror\u001B[0m: \u001B]0;title\u0007bad\u001B[2J\u001B[38;5;2mgreen\u001B[38;2;1;2;3mplain',
    )
    expect(pieces.map(({ text, color, isBold }) => [text, color, isBold])).toEqual([
      ['error', 'red', true],
      [': ', null, false],
      ['bad', null, false],
      ['green', 'green', false],
      ['plain', null, false],
    ])
  })

  test('terminal output shows the last state of a line that was written again', () => {
    expect(plainText('10%\r50%\r100%\r\nnext')).toBe('100%\nnext')
  })

  test('terminal output can neither change the text direction nor ring the bell', () => {
    expect(plainText('a\u202Eb\u0007c\u2066d')).toBe('a\uFFFDbc\uFFFDd')
  })
})

test('a very long line is split into several elements', () => {
  expect(textLines(`a\n${'x'.repeat(5_000)}`).map(({ length }) => length)).toEqual([1, 2_000, 2_000, 1_000])
})
