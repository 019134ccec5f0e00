import { expect, test } from 'vitest'
import type { Invocation } from '../../../src/cli/invocation.ts'
import { printLog } from '../../../src/cli/output/print-log.ts'

async function print(texts: readonly string[], how: { terminal?: boolean; raw?: boolean; json?: boolean } = {}) {
  let stdout = ''
  let stderr = ''
  const cli = {
    json: how.json ?? false,
    jsonLine: (value: unknown) => `${JSON.stringify(value)}\n`,
    world: {
      stdout: { write: (text: string) => (stdout += text) },
      terminal: how.terminal === true ? { columns: 80, rows: 24, colors: true } : null,
    },
    notice: (text: string) => (stderr += text),
  } as unknown as Invocation
  async function* pieces() {
    for (const text of texts) yield { run: 'r_0000000001', text }
  }
  await printLog(cli, pieces(), { raw: how.raw ?? false })
  return { stdout, stderr }
}

test('control characters are escaped on a terminal, unless --raw is given', async () => {
  const text = 'red \u001b[31mtext\n'
  expect(await print([text], { terminal: true })).toEqual({ stdout: 'red \\x1b[31mtext\n', stderr: '' })
  expect(await print([text], { terminal: true, raw: true })).toEqual({ stdout: text, stderr: '' })
  expect(await print([text])).toEqual({ stdout: text, stderr: '' })
})

test('a CRLF split over two pieces is one newline', async () => {
  expect(await print(['one\r', '\ntwo\r\n'], { terminal: true })).toEqual({ stdout: 'one\ntwo\n', stderr: '' })
  expect(await print(['10 %\r', '20 %\n'], { terminal: true })).toMatchObject({ stdout: '10 %\\x0d20 %\n' })
})

test('a newline is added at the end on a terminal, but not in a pipe', async () => {
  expect(await print(['no end'], { terminal: true })).toMatchObject({ stdout: 'no end\n' })
  expect(await print(['no end'])).toMatchObject({ stdout: 'no end' })
})

test('JSON lines include the run id, and an empty log is reported', async () => {
  expect(await print(['a\n', 'b'], { json: true })).toMatchObject({
    stdout: '{"run":"r_0000000001","text":"a\\n"}\n{"run":"r_0000000001","text":"b"}\n',
  })
  expect(await print([])).toEqual({ stdout: '', stderr: '(no output)' })
})
