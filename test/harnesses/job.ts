/** Makes a job for a harness, and a program that the harness finds on the PATH. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Job } from '../../src/harnesses/harness.ts'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import { runOf, sampleTask } from '../helpers/sample.ts'

export function makeFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'muster-harness-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

/** Makes a job whose PATH has a program with the given name. */
export function jobFor(
  program: string,
  agent: Partial<Job['agent']> = {},
  given: Partial<Pick<Job, 'env' | 'directory' | 'workspace' | 'skills' | 'readable' | 'task'>> = {},
): Job {
  const path = makeFolder()
  writeFileSync(join(path, program), '#!/bin/sh\n', { mode: 0o755 })
  return {
    program,
    agent: { name: 'coder', args: [], permissions: 'edit', model: null, provider: null, effort: null, ...agent },
    task: sampleTask({ title: 'Write it' }),
    run: runOf('a'),
    turn: 1,
    directory: runDirectoryAt('/runs/a'),
    workspace: '/work/space',
    briefing: 'what to do',
    socket: { path: '/runs/a/s', nonce: 'secret', lateFolder: '/late' },
    shim: ['/bin/node', '/lib/mcp.js'],
    acpClient: ['/bin/node', '/lib/acp.js'],
    sessionWaitMs: 60_000,
    role: 'worker',
    path,
    env: {},
    ...given,
  }
}
