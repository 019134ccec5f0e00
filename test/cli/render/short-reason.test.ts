// Tests the short texts about why a card waits.
import { expect, test } from 'vitest'
import { shortReason } from '../../../src/cli/render/short-reason.ts'
import { obstacle } from '../../../src/core/reasons/reason.ts'
import type { Obstacle } from '../../../src/core/reasons/reason.ts'
import { withRemedies } from '../../../src/core/reasons/remedies.ts'
import { NOON, sampleTask } from '../../helpers/sample.ts'

const reasonOf = (found: Obstacle) => withRemedies(found, { task: sampleTask({}), openParents: [] })

test.each([
  [obstacle('breaker_open', { failures: 0, error: null, reason: null }), 'stopped after failures'],
  [obstacle('breaker_open', { failures: 1, error: null, reason: null }), 'stopped after 1 failure'],
  [obstacle('breaker_open', { failures: 2, error: null, reason: null }), 'stopped after 2 failures'],
])('the reason %j is shortened to "%s"', (found, text) => {
  expect(shortReason(reasonOf(found), NOON)).toBe(text)
})
