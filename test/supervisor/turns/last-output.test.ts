import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { harnessNamed } from '../../harnesses/loaded.ts'
import { SETUP_ENDS } from '../../../src/runs/log/log-tail.ts'
import { readLastLine, readLastOutput } from '../../../src/supervisor/turns/last-output.ts'
import { STREAMS } from '../../helpers/streams.ts'

function logOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'log'), text)
  return join(folder, 'log')
}

const call = (command: string): string =>
  `${JSON.stringify({ type: 'item.started', item: { type: 'command_execution', command } })}\n`

test.each(Object.entries(STREAMS))(
  'the last line of a log of %s is the last message, even without the ticket file of the run',
  async (_, stream) => {
    expect(await readLastLine(logOf(stream))).toBe('all done')
  },
)

test('the last line of the output is the tool call while a tool runs', async () => {
  expect(await readLastLine(logOf(STREAMS.codex + call("bash -lc 'make all'")))).toBe('$ make all')
})

test('the last message of the agent is found, even if a long line follows it', async () => {
  const huge = { type: 'item.completed', item: { type: 'reasoning', text: 'x'.repeat(100_000) } }
  expect(await readLastLine(logOf(`${STREAMS.codex}${JSON.stringify(huge)}\n`))).toBe('all done')
})

test('plain text that looks like JSON is shown unchanged', async () => {
  expect(await readLastLine(logOf('{"type":"result"}\n{"a":1}\n'))).toBe('{"a":1}')
  expect(await readLastLine(logOf(''))).toBeNull()
})

test('if the agent sent no message, the last tool calls and errors are stored', async () => {
  const readLine = harnessNamed('codex').readLine
  const log = logOf(`installing\n${SETUP_ENDS}${call('make')}error: no such file\n`)
  expect(await readLastOutput(log, readLine)).toBe('$ make\nerror: no such file')
  expect(await readLastOutput(logOf('{"type":"turn.started"}\n'), readLine)).toBeNull()
})
