import { describe, expect, test } from 'vitest'
import type { Entry, ReadLine } from '../../../src/harnesses/stream/entry.ts'
import type { Passage } from '../../../src/harnesses/stream/passage.ts'
import { makeTranscript } from '../../../src/harnesses/stream/transcript.ts'
import { STREAMS } from '../../helpers/streams.ts'
import { linesOf } from '../recordings.ts'
import { harnessNamed } from '../loaded.ts'

const readerOf = (harness: string): ReadLine => {
  const reader = harnessNamed(harness).readLine
  if (reader === null) throw new Error(`${harness} has no reader`)
  return reader
}

/** Returns the passages of a log that is read in these pieces. A number is a hole of that many bytes. */
function passagesOf(
  readLine: ReadLine | null,
  pieces: readonly (string | Uint8Array | number)[],
  midway = false,
): Passage[] {
  const transcript = makeTranscript(readLine, { midway })
  const passages = pieces.flatMap((piece) =>
    transcript.take(
      typeof piece === 'number'
        ? { bytes: new Uint8Array(), omitted: piece }
        : { bytes: Buffer.from(piece), omitted: 0 },
    ),
  )
  return [...passages, ...transcript.end()]
}

const claude = readerOf('claude')
const messageLine = (text: string): string =>
  `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } })}\n`

describe.each(Object.entries(STREAMS))('the transcript of %s', (harness, stream) => {
  const transcript = passagesOf(readerOf(harness), [stream])

  test('a transcript has messages, calls, results and usage, and counts other lines', () => {
    expect(transcript[0]).toEqual({ kind: 'turn', turn: 1, session: 's-1' })
    expect(transcript.filter(({ kind }) => kind === 'said')).toEqual([
      { kind: 'said', text: 'I look first.' },
      { kind: 'said', text: 'all done' },
    ])
    expect(transcript).toContainEqual(
      expect.objectContaining({ kind: 'returned', ok: false, text: 'Exit code 1\nno tests' }),
    )
    expect(transcript.filter(({ kind }) => kind === 'changed')).toEqual([{ kind: 'changed', path: '/w/a.txt' }])
    expect(transcript.filter(({ kind }) => kind === 'used')).toMatchObject([
      { usage: { inputTokens: 300, outputTokens: 60 } },
    ])
    expect(transcript.filter(({ kind }) => kind === 'turn' || kind === 'printed')).toHaveLength(1)
  })

  test('a transcript is the same however the log is split', () => {
    const bytes = Buffer.from(stream)
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(at * 7, at * 7 + 7))
    expect(passagesOf(readerOf(harness), pieces)).toEqual(transcript)
  })
})

test('a file counts as changed only after the call that edits it has succeeded', () => {
  const call = (id: string, path: string): string => {
    const use = { type: 'tool_use', id, name: 'Edit', input: { file_path: path } }
    return `${JSON.stringify({ type: 'assistant', message: { content: [use] } })}\n`
  }
  const back = (id: string, isError: boolean): string => {
    const result = { type: 'tool_result', tool_use_id: id, is_error: isError, content: '' }
    return `${JSON.stringify({ type: 'user', message: { content: [result] } })}\n`
  }
  const transcript = passagesOf(claude, [
    call('1', '/a'),
    call('2', '/b'),
    call('3', '/c'),
    back('2', true),
    back('1', false),
  ])
  expect(transcript.filter(({ kind }) => kind === 'changed')).toEqual([{ kind: 'changed', path: '/a' }])
  expect(transcript.at(-1)).toEqual({ kind: 'changed', path: '/a' })
})

test('a second start of the program in the same session is another turn', () => {
  const turns = passagesOf(claude, [STREAMS.claude, STREAMS.claude]).filter(({ kind }) => kind === 'turn')
  expect(turns).toMatchObject([{ turn: 1 }, { turn: 2 }])
})

test('a transcript shows the tokens that each turn of a Codex thread used', () => {
  const turns = ['nudge', 'nudge.2'].map((name) => `${linesOf(`codex/${name}`).join('\n')}\n`)
  const used = passagesOf(readerOf('codex'), turns).filter(({ kind }) => kind === 'used')
  expect(used).toMatchObject([{ usage: { inputTokens: 100 } }, { usage: { inputTokens: 200, outputTokens: 40 } }])
})

test('text between the JSON lines is kept, and unknown lines are counted', () => {
  const noise = '{"type":"tomorrow"}\n{"broken": \nTypeError: oh\n    at run (a.js:1)\n[1]\n{}'
  expect(passagesOf(claude, [noise])).toEqual([
    { kind: 'printed', text: 'TypeError: oh\n', aside: true },
    { kind: 'printed', text: '    at run (a.js:1)\n', aside: true },
    { kind: 'printed', text: '[1]\n', aside: true },
    { kind: 'unknown', lines: 3 },
  ])
})

test('a gap in the log hides only the lines that it interrupts', () => {
  const lost = messageLine('lost')
  const pieces = [messageLine('before') + lost.slice(0, 20), 4096, `${lost.slice(30)}${messageLine('after')}`]
  expect(passagesOf(claude, pieces)).toEqual([
    { kind: 'said', text: 'before' },
    { kind: 'omitted', bytes: 4096 },
    { kind: 'said', text: 'after' },
  ])
  expect(passagesOf(claude, [messageLine('before'), 10, messageLine('whole')])).toContainEqual({
    kind: 'said',
    text: 'whole',
  })
})

test('a transcript from the middle of a log starts at a whole line', () => {
  expect(passagesOf(claude, [`n end of a line"}\n${messageLine('next')}`], true)).toEqual([
    { kind: 'said', text: 'next' },
  ])
  expect(passagesOf(claude, [`\nwarning\n`], true)).toEqual([{ kind: 'printed', text: 'warning\n', aside: true }])
  expect(passagesOf(claude, [1, messageLine('next')], true)).toEqual([{ kind: 'said', text: 'next' }])
  expect(passagesOf(null, ['\nwarning\n'], true)).toEqual([{ kind: 'printed', text: 'warning\n' }])
})

test('a line that is too long is dropped, and the lines around it stay', () => {
  const transcript = makeTranscript(claude)
  const megabyte = { bytes: Buffer.alloc(1024 ** 2, 'x'), omitted: 0 }
  expect(transcript.take({ bytes: Buffer.from(messageLine('first')), omitted: 0 })).toHaveLength(1)
  for (let at = 0; at < 600; at += 1) expect(transcript.take(megabyte)).toEqual([])
  expect(transcript.take({ bytes: Buffer.from(`\n${messageLine('last')}`), omitted: 0 })).toEqual([
    { kind: 'said', text: 'last' },
  ])
  expect(transcript.end()).toEqual([{ kind: 'unknown', lines: 1 }])
})

test('the parts of a message are joined into one message', () => {
  const parts: ReadLine = (line) => {
    const entry: Entry & { isContinuation?: boolean } = { kind: 'said', text: line, isContinuation: true }
    return line === '{}' ? [{ kind: 'changed', path: 'a' }] : [entry]
  }
  expect(passagesOf(parts, ['I lo\nok.\n{}\nDo\nne.'])).toEqual([
    { kind: 'said', text: 'I look.' },
    { kind: 'changed', path: 'a' },
    { kind: 'said', text: 'Done.' },
  ])
})

test('waits and failures in a transcript have a cause and a message', () => {
  const retry = { type: 'system', subtype: 'api_retry', error_status: 429, retry_delay_ms: 30_000, error: 'slow down' }
  const over = { type: 'result', is_error: true, api_error_status: 401, result: 'Invalid key' }
  expect(passagesOf(claude, [`${JSON.stringify(retry)}\n${JSON.stringify(over)}\n`])).toEqual([
    { kind: 'waits', cause: 'rate_limited', message: 'slow down' },
    { kind: 'failed', cause: 'auth', message: 'Invalid key' },
  ])
})

test('a log without a parser is shown as text, in which split characters are joined', () => {
  const bytes = Buffer.from('ü\n')
  expect(passagesOf(null, [bytes.subarray(0, 1), bytes.subarray(1), '{"type":"result"}\n', 5, 'end'])).toEqual([
    { kind: 'printed', text: 'ü\n' },
    { kind: 'printed', text: '{"type":"result"}\n' },
    { kind: 'omitted', bytes: 5 },
    { kind: 'printed', text: 'end' },
  ])
})
