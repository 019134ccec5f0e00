import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Store } from '../../src/storage/store.ts'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import type { SupervisedRun } from '../../src/supervisor/supervised-run.ts'
import { settleRun } from '../../src/supervisor/settle.ts'
import { runOf, sampleRun } from '../helpers/sample.ts'
import { makeFolder } from '../harnesses/job.ts'

const SAID = JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text: 'All is well.' }] } })

/** What the board is told of an agent that has said that all is well, and then printed this. */
async function lastWordsAfter(printed: string, exitCode: number): Promise<unknown> {
  const directory = runDirectoryAt(makeFolder())
  writeFileSync(directory.log, `${SAID}\n${printed}`)
  const settled: { input: { lastWords: unknown } }[] = []
  const decide = async (command: (typeof settled)[number]) => {
    settled.push(command)
    return { ok: true }
  }
  const owned = {
    directory,
    run: sampleRun(),
    fence: { runId: runOf('a'), tokenHash: 'claim' },
    ticket: { board: 'main', task: 'a', completesOnExit: false, harness: 'claude' },
    store: { decide } as unknown as Store,
  } as unknown as SupervisedRun
  await settleRun(
    owned,
    { how: 'exited', exitCode, signal: null },
    { usage: null, changes: null, said: 'All is well.' },
  )
  return settled[0]?.input.lastWords
}

test('of a program that broke the board is told what it printed last, not what its agent had said before', async () => {
  const turn = '# muster: turn 2: it ended without a verdict\n'
  const trouble = 'Error: Session not found\n'
  expect(await lastWordsAfter(`${turn}${trouble}`, 1)).toBe('Error: Session not found')
  expect(await lastWordsAfter(trouble, 1)).toBe('All is well.\nError: Session not found')
  expect(await lastWordsAfter(turn, 1)).toBe('All is well.')
})

test('of one that ended well it is told what its agent said last', async () => {
  expect(await lastWordsAfter('a warning\n', 0)).toBe('All is well.')
})
