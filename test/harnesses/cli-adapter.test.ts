// Tests that every agent CLI must pass, independent of its arguments and its output.
import { readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import { writeRunFiles } from '../../src/harnesses/write-run-files.ts'
import { jobFor, makeFolder } from './job.ts'
import { harnessNamed } from './loaded.ts'

const CLIS = ['claude', 'codex', 'opencode', 'gemini', 'hermes'] as const

const jobOf = (cli: string) => jobFor(cli, {}, { directory: runDirectoryAt(makeFolder()) })

test.each(CLIS)('%s gets its briefing on standard input and its tools in a private file', async (cli) => {
  const job = jobOf(cli)
  const { briefing, mcp } = job.directory
  const launch = harnessNamed(cli).launch(job)
  await writeRunFiles(job.directory, launch)
  expect(launch.stdin).toBe(briefing)
  expect(readFileSync(briefing, 'utf8')).toBe('what to do')
  expect(readFileSync(mcp, 'utf8')).toContain('secret')
  for (const { path } of launch.files) expect([path, statSync(path).mode & 0o777]).toEqual([path, 0o600])
})

test.each(CLIS)('the arguments and environment of %s contain neither briefing nor nonce', (cli) => {
  const { argv, env } = harnessNamed(cli).launch(jobOf(cli))
  expect(`${argv.join(' ')} ${JSON.stringify(env)}`).not.toMatch(/secret|what to do/)
})

test.each(CLIS)('a later turn of %s sends its message to the session, and needs a session', (cli) => {
  const job = jobOf(cli)
  const launch = harnessNamed(cli).resume(job, { message: 'go on', session: 'abc' })
  expect(launch?.argv).toContain('abc')
  expect(launch?.files.find(({ path }) => path === launch.stdin)?.content).toBe('go on')
  expect(harnessNamed(cli).resume(job, { message: 'go on', session: null })).toBeNull()
})

test.each(CLIS)('%s cannot start if its program is not installed', (cli) => {
  expect(() => harnessNamed(cli).launch({ ...jobOf(cli), path: '/nowhere' })).toThrow(
    `Agent coder needs ${cli}, which is not installed`,
  )
})
