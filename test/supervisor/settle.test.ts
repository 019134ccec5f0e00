import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Store } from '../../src/storage/store.ts'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import type { SupervisedRun } from '../../src/supervisor/supervised-run.ts'
import { settleRun } from '../../src/supervisor/settle.ts'
import { runOf, sampleRun, sampleTask } from '../helpers/sample.ts'
import { makeFolder } from '../harnesses/job.ts'

const MESSAGE = JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text: 'All is well.' }] } })

/** Returns the last output that is stored for an agent that reports success and then prints this text. */
async function lastOutputAfter(printed: string, exitCode: number): Promise<unknown> {
  const directory = runDirectoryAt(makeFolder())
  writeFileSync(directory.log, `${MESSAGE}\n${printed}`)
  const settled: { input: { lastOutput: unknown } }[] = []
  const decide = async (command: (typeof settled)[number]) => {
    settled.push(command)
    return { ok: true }
  }
  const owned = {
    directory,
    run: sampleRun(),
    task: sampleTask(),
    fence: { runId: runOf('a'), tokenHash: 'claim' },
    ticket: { board: 'main', task: 'a', completesOnExit: false, harness: 'claude' },
    store: { decide } as unknown as Store,
    shutdown: new AbortController().signal,
  } as unknown as SupervisedRun
  await settleRun(
    owned,
    { how: 'exited', exitCode, signal: null },
    { usage: null, changes: null, lastMessage: 'All is well.' },
  )
  return settled[0]?.input.lastOutput
}

test('after a crash, the CLI’s last output is stored', async () => {
  const turn = '# muster: turn 2: it ended without a verdict\n'
  const trouble = 'Error: Session not found\n'
  expect(await lastOutputAfter(`${turn}${trouble}`, 1)).toBe('Error: Session not found')
  expect(await lastOutputAfter(trouble, 1)).toBe('All is well.\nError: Session not found')
  expect(await lastOutputAfter(turn, 1)).toBe('All is well.')
})

test('after a success, the agent’s last message is stored', async () => {
  expect(await lastOutputAfter('a warning\n', 0)).toBe('All is well.')
})
