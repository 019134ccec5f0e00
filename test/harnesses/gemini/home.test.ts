import { mkdirSync, readFileSync, readlinkSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { adapter as gemini } from '../../../src/harnesses/gemini/adapter.ts'
import { runDirectoryAt } from '../../../src/runs/files/run-directory.ts'
import { writeRunFiles } from '../../../src/harnesses/write-run-files.ts'
import { jobFor, makeFolder } from '../job.ts'

const SETTINGS = `{
  // Mine.
  "ui": { "theme": "dark" },
  "mcp": { "allowed": ["notes"] },
  "mcpServers": { "notes": { "command": "notes" } }
}`

function userWith(settings: string | null): string {
  const user = makeFolder()
  const folder = join(user, '.gemini')
  mkdirSync(join(folder, 'commands'), { recursive: true })
  mkdirSync(join(folder, 'tmp'))
  mkdirSync(join(user, '.agents'))
  for (const name of ['oauth_creds.json', 'GEMINI.md', 'projects.json', '.env']) writeFileSync(join(folder, name), name)
  if (settings !== null) writeFileSync(join(folder, 'settings.json'), settings)
  return user
}

const jobOf = (user: string) => jobFor('gemini', {}, { env: { HOME: user }, directory: runDirectoryAt(makeFolder()) })

test('the home of a run contains settings, tools and links', async () => {
  const user = userWith(SETTINGS)
  const job = jobOf(user)
  const launch = gemini.launch(job)
  await writeRunFiles(job.directory, launch)

  const own = join(job.directory.path, 'gemini')
  expect(launch.env).toEqual({ GEMINI_CLI_HOME: own })
  expect(JSON.parse(readFileSync(join(own, '.gemini/settings.json'), 'utf8'))).toEqual({
    ui: { theme: 'dark' },
    mcp: { allowed: ['notes', 'muster'] },
    mcpServers: {
      notes: { command: 'notes' },
      muster: { command: '/bin/node', args: ['/lib/mcp.js', 'worker', job.directory.mcp], trust: true },
    },
  })
  const links = ['.env', 'GEMINI.md', 'commands', 'oauth_creds.json']
  expect(readdirSync(join(own, '.gemini')).toSorted()).toEqual([...links, 'settings.json'])
  for (const name of links) expect(readlinkSync(join(own, '.gemini', name))).toBe(join(user, '.gemini', name))
  expect(readlinkSync(join(own, '.agents'))).toBe(join(user, '.agents'))
  expect(readFileSync(join(user, '.gemini/settings.json'), 'utf8')).toBe(SETTINGS)
})

test('a later turn keeps the home and the files in it', async () => {
  const job = jobOf(userWith(null))
  await writeRunFiles(job.directory, gemini.launch(job))
  const left = join(job.directory.path, 'gemini/.gemini/tmp')
  mkdirSync(left)
  const launch = gemini.resume({ ...job, turn: 2 }, { message: 'go on', session: 'abc' })
  expect(launch?.argv).toEqual(expect.arrayContaining(['--resume', 'abc']))
  if (launch !== null) await writeRunFiles(job.directory, launch)
  expect(readdirSync(join(job.directory.path, 'gemini/.gemini'))).toContain('tmp')
})

test('nothing is linked if the user has no Gemini folder', () => {
  expect(gemini.launch(jobOf(makeFolder())).links).toEqual([])
})

test('invalid settings prevent the start, with an error that names the file', () => {
  expect(() => gemini.launch(jobOf(userWith('{ "ui": ')))).toThrow(/settings\.json is not valid JSON/)
})
