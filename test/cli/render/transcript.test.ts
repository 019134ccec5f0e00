import { expect, test } from 'vitest'
import { passageText } from '../../../src/cli/render/transcript.ts'

const returned = (text: string): string => passageText({ kind: 'returned', ok: true, text }, null)

test('what the board answers to a verdict is told by its sentence, other answers as they stand', () => {
  const recorded = 'Recorded complete for t_qzsbk437n3: the card is settled when this run ends.'
  expect(returned(JSON.stringify({ id: 't_qzsbk437n3', status: 'running', recorded }))).toBe(`  ✓ ${recorded}\n`)
  for (const text of ['{"bytes":5}', '{"recorded":7}', '{broken', 'ok']) expect(returned(text)).toBe(`  ✓ ${text}\n`)
})
