import { expect, test } from 'vitest'
import { BoardError } from '../../src/core/errors.ts'
import type { Store } from '../../src/storage/store.ts'
import { CheckRunner } from '../../src/supervisor/check-runner.ts'
import type { SupervisedRun } from '../../src/supervisor/supervised-run.ts'
import { card, runOf } from '../helpers/sample.ts'

/** Makes a run whose store cannot be reached, and counts the requests to the store. */
function withoutStore() {
  let requests = 0
  const gone = () => {
    requests += 1
    return Promise.reject(new BoardError('store_unreachable', 'gone'))
  }
  const owned = {
    store: { task: gone, board: gone, run: gone } as unknown as Store,
    ticket: { board: 'main', task: card('a') },
    fence: { runId: runOf('a'), tokenHash: 'f00d' },
  } as unknown as SupervisedRun
  return { checkRunner: new CheckRunner(owned), requests: () => requests }
}

test('a closed check runner starts no checks and answers `overtaken`', async () => {
  const { checkRunner, requests } = withoutStore()
  await checkRunner.close()
  expect(await checkRunner.check()).toEqual({ kind: 'overtaken' })
  expect(requests()).toBe(0)
})

test('closing a check runner ends the current checks for all callers', async () => {
  const { checkRunner } = withoutStore()
  const answers = [checkRunner.check(), checkRunner.check()]
  await checkRunner.close()
  expect(await Promise.all(answers)).toEqual([{ kind: 'overtaken' }, { kind: 'overtaken' }])
})
