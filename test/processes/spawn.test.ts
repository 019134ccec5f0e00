import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startDetached } from '../../src/processes/spawn.ts'

const descriptors = (): number => readdirSync('/dev/fd').length

test('a process that cannot be started leaves no descriptor open', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-spawn-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const request = { program: '/bin/sh', args: ['-c', 'true'], cwd: folder, env: {}, log: join(folder, 'log') }
  const before = descriptors()
  for (const broken of [
    // For an argument that is too long, Node throws synchronously.
    { ...request, args: ['-c', 'x'.repeat(4_000_000)] },
    { ...request, stdin: join(folder, 'missing') },
    { ...request, program: join(folder, 'missing') },
  ])
    await expect(startDetached(broken)).rejects.toThrow(/E2BIG|ENOENT/)
  expect(descriptors()).toBe(before)
})
