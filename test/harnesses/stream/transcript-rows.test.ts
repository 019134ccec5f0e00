import { describe, expect, test } from 'vitest'
import type { BoardEvent } from '../../../src/core/event.ts'
import type { ReadLine } from '../../../src/harnesses/stream/entry.ts'
import { textAt, TranscriptRows } from '../../../src/harnesses/stream/transcript-rows.ts'
import type { CallContent, RowContent, StoredRow } from '../../../src/harnesses/stream/transcript-rows.ts'
import { STREAMS } from '../../helpers/streams.ts'
import { harnessNamed } from '../loaded.ts'
import { linesOf } from '../recordings.ts'

const START = 1_000_000

/** Makes rows whose time is their position in the log, in milliseconds. */
const makeRows = (readLine: ReadLine | null) => new TranscriptRows({ readLine, timeOf: (place) => START + place })

/** Returns the content of a row. A plain line is a number: the position of its beginning. */
const contentOf = (row: StoredRow): RowContent | number => (typeof row === 'number' ? row : row.content)
const stored = (rows: TranscriptRows): readonly RowContent[] =>
  rows.rows.flatMap((row) => (typeof row === 'number' ? [] : [row.content]))

const piece = (text: string) => ({ bytes: Buffer.from(text), omitted: 0 })

function contentsOf(readLine: ReadLine | null, log: string): readonly RowContent[] {
  const rows = makeRows(readLine)
  rows.take(piece(log))
  rows.end()
  return stored(rows)
}

const callsIn = (contents: readonly RowContent[]): readonly CallContent[] =>
  contents.flatMap((content) => (content.kind === 'call' ? [content] : []))

const eventAt = (at: number, kind: BoardEvent['kind'], data = {}): BoardEvent => ({
  id: at,
  board: 'default',
  kind,
  taskId: null,
  runId: null,
  actor: 'muster:supervisor',
  createdAt: START + at,
  data,
})

describe.each(Object.entries(STREAMS))('the rows of %s', (harness, stream) => {
  const contents = contentsOf(harnessNamed(harness).readLine, stream)

  test('each message or call has one row, and a call row includes its result and change', () => {
    expect(contents.filter(({ kind }) => kind === 'said')).toMatchObject([
      { text: { text: 'I look first.', isWhole: true } },
      { text: { text: 'all done' } },
    ])
    const [run, ...others] = callsIn(contents)
    expect(run).toMatchObject({ action: 'run', title: 'npm test', state: 'failed', input: null })
    expect(run?.output?.text).toBe('Exit code 1\nno tests')
    const changes = [...others, ...contents.filter(({ kind }) => kind === 'changed')]
    expect(changes).toHaveLength(1)
    expect(JSON.stringify(changes)).toContain('/w/a.txt')
  })
})

test.each(['claude', 'codex', 'gemini', 'opencode'])('a recording of %s gives rows that are all closed', (harness) => {
  const { readLine } = harnessNamed(harness)
  const contents = contentsOf(readLine, linesOf(`${harness}/success`).join('\n'))
  const calls = callsIn(contents)
  expect(calls.map(({ action }) => action)).toEqual(['run', 'report', 'run', 'report'])
  expect(calls.map(({ state }) => state)).toEqual(['ok', 'failed', 'ok', 'ok'])
  expect(calls[1]).toMatchObject({ tool: 'kanban_complete', title: 'did it' })
  expect(contents.filter(({ kind }) => kind === 'said')).toMatchObject([{ text: { text: 'all done' } }])
})

test('rows of two turns in one log leave out the note at the start of the second turn', () => {
  const { readLine } = harnessNamed('claude')
  const log = [...linesOf('claude/nudge'), '# muster: turn 2: it ended without a report', ...linesOf('claude/nudge.2')]
  const contents = contentsOf(readLine, log.join('\n'))
  expect(contents.filter(({ kind }) => kind === 'used').length).toBeGreaterThanOrEqual(2)
  expect(contents.filter(({ kind }) => kind === 'note' || kind === 'output')).toEqual([])
})

const claude = harnessNamed('claude').readLine
const blocks = (type: string, ...content: readonly object[]): string =>
  `${JSON.stringify({ type, message: { content } })}\n`
const use = (id: string, name: string, input: object): object => ({ type: 'tool_use', id, name, input })
const result = (id: string, content: string): object => ({ type: 'tool_result', tool_use_id: id, content })

test('results of parallel calls find their calls, and a call without a result stays open until the run ends', () => {
  const rows = makeRows(claude)
  rows.take(
    piece(
      blocks('assistant', use('a', 'Read', { file_path: 'a.ts' }), use('b', 'Bash', { command: 'make' })) +
        blocks('user', result('b', 'built')),
    ),
  )
  expect([rows.settled, callsIn(stored(rows)).map(({ state }) => state)]).toEqual([0, ['open', 'ok']])
  rows.take(piece(blocks('user', result('a', 'text of a'))))
  expect(rows.settled).toBe(2)
  rows.take(piece(blocks('assistant', use('c', 'Bash', { command: 'sleep 9' }))))
  rows.end()
  expect(stored(rows)).toMatchObject([
    { title: 'a.ts', output: { text: 'text of a' } },
    { title: 'make', output: { text: 'built' } },
    { title: 'sleep 9', state: 'cut' },
  ])
})

test('an edit shows its lines, and a written file counts as added', () => {
  const edit = { file_path: 'a.ts', old_string: 'one\ntwo\nthree', new_string: 'one\n2\nthree' }
  const write = { file_path: 'b.ts', content: 'x\ny\n' }
  const [first, second] = callsIn(
    contentsOf(claude, blocks('assistant', use('a', 'Edit', edit), use('b', 'Write', write))),
  )
  expect(first?.edit).toEqual({
    path: 'a.ts',
    added: 1,
    removed: 1,
    isWhole: true,
    lines: [
      { sign: ' ', text: 'one' },
      { sign: '-', text: 'two' },
      { sign: '+', text: '2' },
      { sign: ' ', text: 'three' },
    ],
  })
  expect(second?.edit).toMatchObject({ added: 2, removed: 0 })
})

test('the row of a long output shows its errors, and the whole text comes from the log', () => {
  const output = [
    ...Array.from({ length: 600 }, (_, at) => `ok ${at}`),
    'Error: expected 1, got 2',
    '  at a.ts:3',
    'ok',
  ]
  const log =
    blocks('assistant', use('a', 'Bash', { command: 'npm test' })) + blocks('user', result('a', output.join('\n')))
  const rows = makeRows(claude)
  rows.take(piece(log))
  const [row] = rows.rows
  if (claude === null || typeof row !== 'object' || row.content.kind !== 'call') throw new Error('no call')
  expect(row.content.output).toEqual({ text: 'Error: expected 1, got 2\n  at a.ts:3', lines: 603, isWhole: false })
  const place = row.texts.output
  if (typeof place !== 'object') throw new Error('the text is kept in memory')
  const bytes = Buffer.from(log).subarray(place.from, place.to)
  expect(textAt(claude, bytes, place)).toBe(output.join('\n'))
})

test('plain output has a row per line, and the last line may continue', () => {
  const rows = makeRows(null)
  rows.take(piece('one\ntw'))
  expect([rows.settled, rows.rows.length]).toEqual([1, 2])
  rows.take(piece('o\n'))
  rows.take(piece('# muster: resumes the session of run r_1\n'))
  rows.take({ bytes: new Uint8Array(), omitted: 99 })
  rows.take(piece(`torn\n${'x'.repeat(5_000_000)}\n`))
  rows.end()
  expect(rows.rows.map(contentOf)).toEqual([
    0,
    4,
    { kind: 'note', text: 'resumes the session of run r_1' },
    { kind: 'omitted', bytes: 99 },
    148,
    153,
  ])
})

test('the raw rows of a log are its lines', () => {
  const rows = new TranscriptRows({ readLine: null, timeOf: () => null, isRaw: true })
  rows.take(piece('one\n# muster: a note\ntwo'))
  rows.end()
  expect(rows.rows).toEqual([0, 4, 21])
})

test('each event is before the first output that came after the event', () => {
  const rows = makeRows(null)
  rows.addEvents([eventAt(0, 'claimed'), eventAt(6, 'heartbeat'), eventAt(500, 'completed')])
  rows.take(piece('first\nsecond\nthird\n'))
  const shown = rows.rows.map((row) =>
    typeof row === 'number' ? row : row.content.kind === 'event' && row.content.event.kind,
  )
  expect(shown).toEqual(['claimed', 0, 'heartbeat', 6, 13])
  rows.settleEvents()
  expect(stored(rows).at(-1)).toMatchObject({ event: { kind: 'completed' } })
})

test('banners of the CLI are counted and not shown', () => {
  const contents = contentsOf(harnessNamed('gemini').readLine, linesOf('gemini/success').join('\n'))
  expect(contents.at(-1)).toMatchObject({ kind: 'hidden' })
  expect(contents.filter((content) => content.kind === 'output').map(({ text }) => text.text)).not.toContain(
    'YOLO mode is enabled. All tool calls will be automatically approved.',
  )
})
