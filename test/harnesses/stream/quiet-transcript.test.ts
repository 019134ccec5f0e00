// Tests which output a readable transcript leaves out, with recordings of the real programs.
import { describe, expect, test } from 'vitest'
import { makeQuieter } from '../../../src/harnesses/stream/quiet-transcript.ts'
import { passageText } from '../../../src/cli/render/transcript.ts'
import type { Passage } from '../../../src/harnesses/stream/passage.ts'
import { makeTranscript } from '../../../src/harnesses/stream/transcript.ts'
import { linesOf } from '../../harnesses/recordings.ts'
import { harnessNamed } from '../../harnesses/loaded.ts'
import { widthOf } from '../../../src/cli/render/width.ts'

function shown(passages: readonly Passage[], columns = 80): string {
  const quieter = makeQuieter()
  const quiet = [...passages.flatMap((passage) => quieter.take(passage)), ...quieter.end()]
  return quiet.map((passage) => passageText(passage, { columns, colors: false })).join('')
}

function passagesOf(harness: string, recording: string): readonly Passage[] {
  const transcript = makeTranscript(harnessNamed(harness).readLine)
  const bytes = Buffer.from(linesOf(`${harness}/${recording}`).join('\n'))
  return [...transcript.take({ bytes, omitted: 0 }), ...transcript.end()]
}

const aside = (text: string): Passage => ({ kind: 'printed', text: `${text}\n`, aside: true })

test.each(['claude', 'codex', 'gemini', 'opencode'])('a run of %s shows no banner and no session id', (harness) => {
  const passages = passagesOf(harness, 'success')
  const turn = passages.find((passage) => passage.kind === 'turn')
  const page = shown(passages)
  expect(page).toContain('── turn 1\n')
  expect(page).not.toContain(turn?.session)
  expect(page).not.toMatch(/YOLO|256-color|Ripgrep|PATH aliases/)
})

test('a quota message of Gemini CLI is still shown', () => {
  expect(shown(passagesOf('gemini', 'rate-limited-until'))).toMatch(/quota/i)
})

test('stack traces are hidden, and the hidden lines are counted', () => {
  const page = shown(passagesOf('gemini', 'auth'))
  expect(page).not.toMatch(/^ +at /m)
  expect(page).toMatch(/\(\d+ lines of other kinds omitted; to see them: --raw\)/)
})

test('repeated network errors are shown once as a wait, with a count', () => {
  const lines = [1, 2, 3].map((n) => aside(`Attempt ${n} failed: fetch failed ECONNREFUSED. Retrying in ${n} s`))
  expect(shown([...lines, { kind: 'said', text: 'back' }])).toBe(
    '! waits: network: Attempt 1 failed: fetch failed ECONNREFUSED. Retrying in 1 s\n  (2 more times)\n\nback\n\n',
  )
})

test('status lines that differ only in numbers are shown once', () => {
  expect(shown([aside('indexing 10 files'), aside('indexing 20 files'), aside('ready')])).toBe(
    'indexing 10 files\n  (once more)\nready\n',
  )
})

test('the output of a script is never changed', () => {
  const text = 'YOLO mode is enabled\nsame\nsame\nsame\n'
  expect(
    shown([
      { kind: 'printed', text },
      { kind: 'printed', text },
    ]),
  ).toBe(text + text)
})

describe('JSON in a result', () => {
  const returned = (value: unknown): Passage => ({ kind: 'returned', ok: true, text: JSON.stringify(value, null, 2) })

  test.each([60, 80, 120])('long JSON is one line with its size (%i columns)', (columns) => {
    const page = shown([returned({ id: 't_a', body: 'x'.repeat(3000) })], columns)
    expect(page).toBe('  ✓ JSON, 3 KB: id, body\n')
    for (const line of page.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(columns)
  })

  test('a long list shows its length, and short JSON is unchanged', () => {
    expect(shown([returned(Array.from({ length: 90 }, (_, n) => n))])).toMatch(/^ {2}✓ JSON, \d+ B: a list of 90\n$/)
    expect(shown([{ kind: 'returned', ok: true, text: '{"bytes":5}' }])).toBe('  ✓ {"bytes":5}\n')
  })
})
