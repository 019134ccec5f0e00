// What holds for every agent CLI, whatever its own arguments and lines are.
import { readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import { writeRunFiles } from '../../src/supervisor/write-run-files.ts'
import { jobFor, makeFolder } from './job.ts'
import { harnessNamed } from './loaded.ts'

const CLIS = ['claude', 'codex', 'opencode', 'gemini', 'hermes'] as const

const jobOf = (cli: string) => jobFor(cli, {}, { directory: runDirectoryAt(makeFolder()) })

test.each(CLIS)(
  '%s has its briefing on standard input and its tools in a file, read by their owner alone',
  async (cli) => {
    const job = jobOf(cli)
    const { briefing, mcp } = job.directory
    const launch = harnessNamed(cli).launch(job)
    await writeRunFiles(job.directory, launch)
    expect(launch.stdin).toBe(briefing)
    expect(readFileSync(briefing, 'utf8')).toBe('what to do')
    expect(readFileSync(mcp, 'utf8')).toContain('secret')
    for (const { path } of launch.files) expect([path, statSync(path).mode & 0o777]).toEqual([path, 0o600])
  },
)

test.each(CLIS)('neither the briefing nor the nonce of %s can be read by others', (cli) => {
  const { argv, env } = harnessNamed(cli).launch(jobOf(cli))
  expect(`${argv.join(' ')} ${JSON.stringify(env)}`).not.toMatch(/secret|what to do/)
})

test.each(CLIS)('a later turn of %s is told a message in its session; without a session there is none', (cli) => {
  const job = jobOf(cli)
  const launch = harnessNamed(cli).resume(job, { message: 'go on', session: 'abc' })
  expect(launch?.argv).toContain('abc')
  expect(launch?.files.find(({ path }) => path === launch.stdin)?.content).toBe('go on')
  expect(harnessNamed(cli).resume(job, { message: 'go on', session: null })).toBeNull()
})

test.each(CLIS)('%s is not started when it is not there', (cli) => {
  expect(() => harnessNamed(cli).launch({ ...jobOf(cli), path: '/nowhere' })).toThrow(
    `Agent coder needs ${cli}, which is not installed`,
  )
})
