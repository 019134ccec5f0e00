import { expect, test } from 'vitest'
import { passageText } from '../../../src/cli/render/transcript.ts'

const returned = (text: string): string => passageText({ kind: 'returned', ok: true, text }, null)

test('a recorded verdict is shown as a sentence, and other tool answers are unchanged', () => {
  const recorded = 'Recorded complete for t_qzsbk437n3: the card is settled when this run ends.'
  expect(returned(JSON.stringify({ id: 't_qzsbk437n3', status: 'running', recorded }))).toBe(`  ✓ ${recorded}\n`)
  for (const text of ['{"bytes":5}', '{"recorded":7}', '{broken', 'ok']) expect(returned(text)).toBe(`  ✓ ${text}\n`)
})
