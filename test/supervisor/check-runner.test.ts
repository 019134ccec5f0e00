import { expect, test } from 'vitest'
import { BoardError } from '../../src/core/errors.ts'
import type { Store } from '../../src/storage/store.ts'
import { CheckRunner } from '../../src/supervisor/check-runner.ts'
import type { SupervisedRun } from '../../src/supervisor/supervised-run.ts'
import { card, runOf } from '../helpers/sample.ts'

/** A run whose store cannot be reached, and is asked again and again. */
function unanswered() {
  let asked = 0
  const gone = () => {
    asked += 1
    return Promise.reject(new BoardError('store_unreachable', 'gone'))
  }
  const owned = {
    store: { task: gone, board: gone, run: gone } as unknown as Store,
    ticket: { board: 'main', task: card('a') },
    fence: { runId: runOf('a'), tokenHash: 'f00d' },
  } as unknown as SupervisedRun
  return { checkRunner: new CheckRunner(owned), asked: () => asked }
}

test('whoever asks of a run that is closed is overtaken, and nothing is begun', async () => {
  const { checkRunner, asked } = unanswered()
  await checkRunner.close()
  expect(await checkRunner.check()).toEqual({ kind: 'overtaken' })
  expect(asked()).toBe(0)
})

test('what is being examined when the run is closed ends there, for everyone who asked', async () => {
  const { checkRunner } = unanswered()
  const answers = [checkRunner.check(), checkRunner.check()]
  await checkRunner.close()
  expect(await Promise.all(answers)).toEqual([{ kind: 'overtaken' }, { kind: 'overtaken' }])
})
