// Tests that a repository agent can be used only after a person has approved its file.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDispatchPort } from '../../src/dispatcher/port.ts'
import { approveAgents } from '../../src/operations/agents/approve-agents.ts'
import { dispatchOnce } from '../../src/operations/machine/dispatch-once.ts'
import { listAgents } from '../../src/operations/agents/list-agents.ts'
import { makeCliHome } from '../helpers/in-process.ts'
import { testHere } from '../helpers/through-url.ts'

const { output: approveOutput } = await approveAgents.schemas()
const { output: dispatchOutput } = await dispatchOnce.schemas()
const { output: listOutput } = await listAgents.schemas()

function makeRepository() {
  const { home, around, muster, run } = makeCliHome()
  const repository = join(around, 'project')
  mkdirSync(join(repository, '.muster', 'agents'), { recursive: true })
  const file = (name: string): string => join(repository, '.muster', 'agents', `${name}.md`)
  const write = (name: string, text: string): void => writeFileSync(file(name), text)
  const listed = async (name: string) =>
    listOutput.parse((await muster('agents', '--json')).json()).find((agent) => agent.name === name)
  /** Returns the cards that a pass would not start, with the reasons. */
  const deferred = async () => {
    const port = makeDispatchPort({ env: { PATH: '/usr/bin:/bin' }, supervisorPath: '' })
    const world = { dispatcher: () => Promise.resolve(port) }
    return dispatchOutput.parse((await run(['dispatch', '--dry-run', '--json'], { world })).json()).deferred
  }
  return { home, muster, repository, file, write, listed, deferred }
}

const KIND = '---\nharness: command\nargs: [cat]\n---\nBe kind.\n'

test('`approve` shows a repository agent, and only `approve --yes` makes the agent usable', async () => {
  const { muster, repository, write, file, listed } = makeRepository()
  write('builder', KIND)
  const seen = await muster('agents', 'approve', repository)
  expect(seen).toMatchObject({ code: 0 })
  expect(seen.stdout).toContain('○ builder')
  expect(seen.stdout).toContain('Be kind.')
  expect(seen.stderr).toContain('--yes')
  expect(await listed('builder')).toBeUndefined()
  const approved = approveOutput.parse((await muster('agents', 'approve', repository, '--yes', '--json')).json())
  expect(approved.agents).toMatchObject([{ name: 'builder', isApproved: true }])
  expect(await listed('builder')).toMatchObject({ file: file('builder'), isUsable: true, args: ['cat'] })
  expect((await muster('agents', 'show', 'builder')).stdout).toContain('Be kind.')
})

testHere('a card for an unapproved repository agent waits with that reason', async () => {
  const { muster, repository, write, deferred } = makeRepository()
  write('builder', KIND)
  mkdirSync(join(repository, '.git'))
  mkdirSync(join(repository, 'src'))
  const made = await muster('create', 'A card', '--assignee', 'builder', '--workspace', `dir:${repository}/src`)
  const problem = `Agent builder is defined in ${repository} and needs your approval.`
  expect(made.stderr).toContain(`The card waits: ${problem}\n  → muster agents approve ${repository}\n`)
  const id = /t_\w+/.exec(made.stdout)?.[0] ?? ''
  const reason = { gate: 'assignee', message: problem, clearedBy: `muster agents approve ${repository}` }
  expect((await muster('why', id, '--json')).json()).toMatchObject({ reasons: [reason, { gate: 'dispatcher' }] })
  expect(await deferred()).toMatchObject([{ id, reason: `${problem} muster agents approve ${repository}` }])
  expect((await muster('agents', 'approve', join(repository, 'src'), '--yes')).stderr).toBe('Approved: builder.\n')
  expect((await muster('why', id, '--json')).json()).toMatchObject({ reasons: [{ gate: 'dispatcher' }] })
})

test('removing a repository agent ends its approval and keeps its file', async () => {
  const { muster, repository, write, file, listed } = makeRepository()
  write('builder', KIND)
  await muster('agents', 'approve', repository, '--yes')
  const { stdout } = await muster('agents', 'remove', 'builder')
  expect(stdout).toBe(`Agent builder is no longer approved. Its file ${file('builder')} is unchanged.\n`)
  expect(readFileSync(file('builder'), 'utf8')).toBe(KIND)
  expect(await listed('builder')).toBeUndefined()
})

test('removing an agent of the user reports the agent that replaces it', async () => {
  const { muster, repository, write, file, listed } = makeRepository()
  write('builder', KIND)
  await muster('agents', 'approve', repository, '--yes')
  for (const name of ['builder', 'shell']) await muster('agents', 'add', name, '--', 'true')
  await muster('create', 'A card', '--assignee', 'builder')
  expect((await muster('agents', 'remove', 'builder')).stderr).toBe(`${file('builder')} replaces it.\n`)
  expect(await listed('builder')).toMatchObject({ file: file('builder'), isUsable: true, waiting: 1 })
  expect((await muster('agents', 'remove', 'shell')).stderr).toBe('The built-in agent replaces it.\n')
})

test('setup and checks are shown for approval, and changing them needs a new approval', async () => {
  const { muster, repository, write, listed } = makeRepository()
  const withCommands = KIND.replace('args:', 'setup: [npm ci]\nchecks: [npm test]\nargs:')
  write('builder', withCommands)
  const { stdout } = await muster('agents', 'approve', repository, '--yes')
  expect(stdout).toMatch(/setup +npm ci\n +check +npm test\n/)
  expect(await listed('builder')).toMatchObject({ setup: ['npm ci'], checks: ['npm test'], isUsable: true })
  write('builder', withCommands.replace('npm test', 'true'))
  expect(await listed('builder')).toMatchObject({ isUsable: false, checks: [] })
})

test('`approve` shows the model and the account of an agent', async () => {
  const { muster, repository, write } = makeRepository()
  write('coder', '---\nharness: codex\nmodel: gpt-5\nprovider: azure\neffort: high\naccount: team\n---\n')
  const { stdout } = await muster('agents', 'approve', repository)
  expect(stdout).toMatch(/model +gpt-5\n +provider +azure\n +effort +high\n +account +team\n/)
})

test('a changed agent file needs a new approval, and its cards wait', async () => {
  const { muster, repository, write, listed } = makeRepository()
  write('builder', KIND)
  await muster('agents', 'approve', repository, '--yes')
  write('builder', KIND.replace('kind', 'cruel'))
  const { stderr } = await muster('create', 'A card', '--assignee', 'builder')
  expect(stderr).toContain(`has changed since it was approved.\n  → muster agents approve ${repository}\n`)
  expect(await listed('builder')).toMatchObject({
    isUsable: false,
    problems: [expect.stringContaining(`has changed since it was approved: muster agents approve ${repository}`)],
  })
  expect((await muster('agents', 'approve', repository)).stdout).toContain('○ builder')
  await muster('agents', 'approve', repository, '--yes')
  expect(await listed('builder')).toMatchObject({ isUsable: true })
  write('builder', KIND)
  expect(await listed('builder')).toMatchObject({ isUsable: false })
})

test('a pipe or a device in place of an agent file is refused without waiting', async () => {
  const { muster, repository, write, file, listed } = makeRepository()
  write('builder', KIND)
  await muster('agents', 'approve', repository, '--yes')
  rmSync(file('builder'))
  execFileSync('mkfifo', [file('builder')])
  expect(await listed('builder')).toMatchObject({ isUsable: false })
  symlinkSync('/dev/zero', file('endless'))
  const { stderr } = await muster('agents', 'approve', repository)
  for (const name of ['builder', 'endless']) expect(stderr).toContain(`${file(name)} cannot be read (it is not a file)`)
})

test('a deleted file removes the agent, and a new file needs its own approval', async () => {
  const { muster, repository, write, file, listed } = makeRepository()
  write('builder', KIND)
  await muster('agents', 'approve', repository, '--yes')
  write('other', KIND)
  expect(await listed('other')).toBeUndefined()
  rmSync(file('builder'))
  expect(await listed('builder')).toBeUndefined()
})

test('an agent of the data folder takes precedence over a repository agent', async () => {
  const { home, muster, repository, write, listed } = makeRepository()
  await muster('agents', 'add', 'builder', '--', 'true')
  for (const name of ['builder', 'shell']) {
    write(name, KIND)
    const { code, stderr } = await muster('agents', 'approve', repository, '--yes')
    expect([code, stderr]).toEqual([2, expect.stringContaining(`agent ${name} already exists`)])
    rmSync(join(repository, '.muster', 'agents', `${name}.md`))
  }
  write('tester', KIND)
  await muster('agents', 'approve', repository, '--yes')
  writeFileSync(join(home, 'agents', 'tester.md'), '---\nharness: shell\n---\n')
  expect(await listed('tester')).toMatchObject({ harness: 'shell', file: join(home, 'agents', 'tester.md') })
})

test('a broken file is reported with its line and field, and the other files are approved', async () => {
  const { muster, repository, write, file, listed } = makeRepository()
  await muster('agents', 'add', 'taken', '--', 'true')
  for (const name of ['builder', 'taken']) write(name, KIND)
  write('typo', '---\nharness: shell\nmaxRuntime: soon\n---\n')
  mkdirSync(file('folder'))
  const { code, stdout, stderr } = await muster('agents', 'approve', repository, '--yes')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^● builder\n/)
  expect(stdout).toContain(`✗ folder\n  ! ${file('folder')} cannot be read (it is not a file)\n`)
  expect(stdout).toContain(`✗ taken\n  ! ${file('taken')}: agent taken already exists (`)
  expect(stdout).toContain(`✗ typo\n  ! ${file('typo')}:3: maxRuntime: write 30m or 2h\n`)
  expect(stderr).toBe('Approved: builder.\n✗ marks an agent that cannot be approved until its file is fixed.\n')
  expect(await listed('builder')).toMatchObject({ isUsable: true })
  expect(await listed('typo')).toBeUndefined()
  const { unfit } = approveOutput.parse((await muster('agents', 'approve', repository, '--json')).json())
  expect(unfit.map(({ name }) => name)).toEqual(['folder', 'taken', 'typo'])
})

test('if every file is broken, no agent is approved and the reasons are printed', async () => {
  const { home, muster, repository, write, file } = makeRepository()
  write('typo', '---\nharness: shell\nmaxRuntime: soon\n---\n')
  const { code, stderr } = await muster('agents', 'approve', repository, '--yes')
  const fault = `${file('typo')}:3: maxRuntime: write 30m or 2h`
  expect([code, stderr]).toEqual([2, `muster: Nothing can be approved: ${fault}.\n`])
  expect(() => readFileSync(join(home, 'approved-agents'))).toThrow('ENOENT')
  expect((await muster('agents', 'approve', home)).stderr).toContain('defines no agents')
  rmSync(join(repository, '.muster'), { recursive: true })
  mkdirSync(join(repository, '.muster'))
  writeFileSync(join(repository, '.muster', 'agents'), '')
  expect((await muster('agents', 'approve', repository)).stderr).toContain('agents cannot be read (not a folder).')
})
