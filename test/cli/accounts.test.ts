// Tests `muster accounts` in this process: the agents of each account, its pauses, and the output.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import { listAccounts } from '../../src/operations/agents/list-accounts.ts'
import { makeCommandLine } from '../helpers/command-line.ts'
import type { CommandLine } from '../helpers/command-line.ts'
import { clockwork, person } from '../helpers/sample.ts'

const { output } = await listAccounts.schemas()

async function makeAccounts(): Promise<CommandLine> {
  const line = makeCommandLine()
  await line.muster('init')
  const folder = join(line.home, 'agents')
  mkdirSync(folder, { recursive: true })
  for (const [name, account] of [
    ['coder', 'team'],
    ['tester', 'team'],
    ['writer', 'own'],
  ])
    writeFileSync(join(folder, `${name}.md`), `---\nharness: command\nargs: [/bin/true]\naccount: ${account}\n---\n`)
  return line
}

const listed = async ({ muster }: CommandLine) => {
  const accounts = output.parse((await muster('accounts', 'list', '--json')).json())
  return accounts.filter(({ name }) => name === 'team' || name === 'own')
}

test('accounts are listed with their agents, and paused and resumed by name', async () => {
  const line = await makeAccounts()
  expect(await listed(line)).toMatchObject([
    { name: 'own', agents: ['writer'], running: 0, state: 'open', cause: null },
    { name: 'team', agents: ['coder', 'tester'], running: 0, state: 'open', cause: null },
  ])
  const paused = await line.muster('accounts', 'pause', 'Team', '--reason', 'over budget')
  expect(paused).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Paused account team .*: over budget\n$/) })
  expect(paused.stderr).toBe('Running agents continue. To resume: muster resume account team\n')
  const { stdout } = await line.onTerminal('accounts')
  expect(stdout).toMatch(/^● own {3}writer$/m)
  expect(stdout).toMatch(/^○ team {2}coder, tester {2}paused by ada since [\d-]+ [\d:]+: over budget$/m)
  expect(await line.muster('accounts', 'resume', 'team')).toMatchObject({ stdout: 'Resumed account team\n' })
  expect(await line.muster('accounts', 'resume', 'team')).toMatchObject({
    stdout: 'The account team was not paused.\n',
  })
  expect((await line.muster('accounts', 'pause', 'taem')).stderr).toContain(
    'Warning: this machine has no account taem. Did you mean team?\n',
  )
})

test('a narrow terminal shows the pause below its account', async () => {
  const line = await makeAccounts()
  const store = await line.store()
  const reason = 'Invalid API key: log in again'
  const input = { account: 'team', cause: 'auth', reason, until: null } as const
  unwrap(await store.decide({ board: 'default', actor: clockwork, verb: 'pause_account', input }))
  const { stdout, stderr } = await line.run(['accounts'], {
    world: { terminal: { columns: 40, rows: 24, colors: false } },
  })
  expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(40)
  expect(stdout).toMatch(
    /^○ team\n {4}coder, tester\n {4}paused \(auth\) since [\d-]+\s+[\d:]+: Invalid API key: log in again$/m,
  )
  expect(stderr).toBe('Log in with its CLI, then run: muster accounts resume team\n')
})

test('when a quota pause is over, the list shows that the next run tests the account', async () => {
  const line = await makeAccounts()
  const store = await line.store()
  const now = await store.now()
  const settings = { rateLimitBaseMs: 1, rateLimitMaxMs: 1 }
  unwrap(await store.decide({ board: 'default', actor: person, verb: 'set_board', input: { settings } }))
  const pauseForQuota = (account: string, until: number | null) =>
    store.decide({
      board: 'default',
      actor: clockwork,
      verb: 'pause_account',
      input: { account, cause: 'quota', reason: 'weekly limit', until },
    })
  unwrap(await pauseForQuota('own', now + 3_600_000))
  unwrap(await pauseForQuota('team', null))
  await expect.poll(async () => (await listed(line))[1]?.state).toBe('trying')
  expect((await listed(line))[0]).toMatchObject({ name: 'own', state: 'paused', until: now + 3_600_000 })
  const { stdout } = await line.onTerminal('accounts')
  expect(stdout).toMatch(/^○ own {3}writer {2}paused \(quota\).* until [\d-]+ [\d:]+: weekly limit$/m)
  expect(stdout).toMatch(/^○ team {2}coder, tester {2}the next run tests it$/m)
})
