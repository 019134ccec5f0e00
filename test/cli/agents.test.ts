// Tests `muster agents` in this process: agent files, their faults, and the output. Running agents are tested in
// test/e2e/agents.test.ts.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addAgent } from '../../src/operations/agents/add-agent.ts'
import { checkAgents } from '../../src/operations/agents/check-agents.ts'
import { listAgents } from '../../src/operations/agents/list-agents.ts'
import { showAgent } from '../../src/operations/agents/show-agent.ts'
import { widthOf } from '../../src/cli/render/width.ts'
import { makeCliHome } from '../helpers/in-process.ts'
import { writeSkill } from '../helpers/skills.ts'
import { testHere } from '../helpers/through-url.ts'

const { output: addOutput } = await addAgent.schemas()
const { output: checkOutput } = await checkAgents.schemas()
const { output: listOutput } = await listAgents.schemas()
const { output: showOutput } = await showAgent.schemas()

test('an added agent has a file with exactly the given settings', async () => {
  const { home, muster } = makeCliHome()
  const argv = ['sh', '-c', 'echo {task} > "{workspace}/out file"']
  const flags = [
    '--description',
    'Echoes: a card',
    '--max-runtime',
    '90m',
    '--account',
    'Team',
    '--env',
    'A',
    '--env',
    'B',
  ]
  const made = await muster('agents', 'add', 'Echo', ...flags, '--instruction', 'Be brief.', '--json', '--', ...argv)
  expect(made).toMatchObject({ code: 0, stderr: '' })
  const file = join(home, 'agents', 'echo.md')
  expect(addOutput.parse(made.json())).toMatchObject({ name: 'echo', file, args: argv, isUsable: true, problems: [] })
  expect(readFileSync(file, 'utf8')).toBe(`---
description: "Echoes: a card"
harness: command
args:
  - sh
  - -c
  - echo {task} > "{workspace}/out file"
env:
  - A
  - B
account: Team
maxRuntime: 90m
---

Be brief.
`)
  expect(statSync(file).mode & 0o077).toBe(0)
  const again = await muster('agents', 'add', 'echo', '--', 'true')
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toContain(`Agent echo already exists: ${file}. To change it, edit that file.`)
  const shown = showOutput.parse((await muster('agents', 'show', 'echo', '--json')).json())
  expect(shown).toMatchObject({ maxRuntimeMs: 5_400_000, account: 'team', env: ['A', 'B'], instruction: 'Be brief.' })
})

test('`agents add` writes model, effort and skills to the agent file', async () => {
  const { home, muster } = makeCliHome()
  writeSkill(join(home, 'skills'), 'reading')
  const flags = ['--harness', 'claude', '--model', 'opus', '--effort', 'high', '--skill', 'reading', '--skill', 'style']
  const { stderr } = await muster('agents', 'add', 'coder', ...flags)
  expect(stderr).toContain("this agent can't run yet. Skill style is not installed here.")
  expect(readFileSync(join(home, 'agents', 'coder.md'), 'utf8')).toBe(`---
harness: claude
model: opus
effort: high
skills:
  - reading
  - style
---
`)
})

test.each([
  [['x', '--skill', '../y', '--', 'true'], 'skills: ../y is not a skill name'],
  [['Bad name', '--', 'true'], 'was not added: names have 1-64 characters (a-z'],
  [['../x', '--', 'true'], 'was not added: names have'],
  [['x'], 'name its program: muster agents add x -- make -C {workspace}.'],
  [['x', '--', 'true', '{card}'], 'args: unknown placeholder {card}'],
  [['x', '--harness', 'shell', '--', 'true'], 'args: a shell agent takes no arguments'],
  [['x', '--env', 'A=B', '--', 'true'], 'env: write names of variables only'],
  [['x', '--harness', 'claude', '--effort', 'hihg'], 'was not added: claude accepts the efforts low,'],
  [['x', '--harness', 'magic'], '--harness: use one of claude,'],
])('the refused command `agents add` %j writes nothing', async (argv, message) => {
  const { home, muster } = makeCliHome()
  const { code, stderr } = await muster('agents', 'add', ...argv)
  expect(stderr).toContain(message)
  expect(code).toBe(2)
  expect(() => statSync(join(home, 'agents'))).toThrow('ENOENT')
})

testHere('a card with an unknown effort waits, and the message lists the known efforts', async () => {
  const { home, around, run } = makeCliHome()
  writeFileSync(join(around, 'claude'), '#!/bin/sh\n', { mode: 0o755 })
  mkdirSync(join(home, 'agents'), { recursive: true })
  for (const [name, effort] of [
    ['coder', 'high'],
    ['typo', 'hihg'],
  ])
    writeFileSync(join(home, 'agents', `${name}.md`), `---\nharness: claude\neffort: ${effort}\n---\n`)
  const env = { PATH: `${around}:/usr/bin:/bin` }
  const message = 'claude accepts the efforts low, medium, high, xhigh, max, not hihg.'
  const noticeFor = async (...flags: string[]) => (await run(['create', 'x', ...flags], { env })).stderr
  expect(await noticeFor('--assignee', 'coder', '--effort', 'hihg')).toMatch(
    new RegExp(`The card waits: ${message}\n  → muster edit t_\\w+ --effort '…'\n`),
  )
  expect(await noticeFor('--assignee', 'typo')).toContain(`The card waits: ${message}\n  → Fix agents/typo.md\n`)
  expect(await noticeFor('--assignee', 'typo', '--effort', 'max')).not.toContain('effort')
})

test('the list has every agent that is known or assigned, and why an agent is unavailable', async () => {
  const { home, muster, onTerminal } = makeCliHome()
  expect(listOutput.parse((await muster('agents', '--json')).json())).toMatchObject([{ name: 'shell', waiting: 0 }])
  mkdirSync(join(home, 'agents'), { recursive: true })
  writeFileSync(join(home, 'agents', 'typo.md'), '---\nharness: shell\nmaxRuntime: soon\n---\n')
  writeFileSync(join(home, 'agents', 'writer.md'), '---\nharness: claude\nmaxConcurrent: 2\n---\n')
  writeFileSync(join(home, 'agents', 'lost.md'), '---\nharness: command\nargs: [no-such-program]\n---\n')
  const hint = await muster('create', 'a', '--assignee', 'typo')
  expect(hint.stderr).toContain('The card waits: The file of agent typo cannot be used: typo.md:3: maxRuntime: write')
  for (const agent of ['shell', 'shell', 'ghost']) await muster('create', 'x', '--assignee', agent, '--body', 'true')
  const listed = await onTerminal('agents', 'list')
  expect(listed.stdout.split('\n')).toEqual([
    expect.stringMatching(/^○ ghost +- +1 waiting +No agent is called ghost\.$/),
    expect.stringMatching(/^○ lost +command +Agent lost runs no-such-program, which is not installed here\.$/),
    expect.stringMatching(/^● shell +shell +2 waiting +Runs the body of the card as a script$/),
    expect.stringMatching(/^○ typo +- +1 waiting +typo\.md:3: maxRuntime: write 30m or 2h$/),
    expect.stringMatching(
      /^○ writer +claude, account claude, at most 2 +Agent writer runs Claude Code, which is not installed here\.$/,
    ),
    '',
  ])
  expect(listed.stderr).toContain('muster agents check')
  const checked = await muster('agents', 'check', '--json')
  expect(checked.code).toBe(1)
  expect(checkOutput.parse(checked.json()).agents.map(({ name, isUsable }) => [name, isUsable])).toEqual([
    ['lost', false],
    ['shell', true],
    ['typo', false],
    ['writer', false],
  ])
})

test('`check` and `show` print the command of an agent', async () => {
  const { home, muster } = makeCliHome()
  await muster('agents', 'add', 'maker', '--harness', 'command', '--', '/bin/sh', '-c', 'echo "a b"', '{task}')
  expect(await muster('agents', 'check', 'maker')).toMatchObject({
    code: 0,
    stdout: `✓ maker  runs /bin/sh -c 'echo "a b"' {task}\n`,
  })
  expect((await muster('agents', 'check', 'shell')).stdout).toBe('✓ shell  runs the body of its card\n')
  expect((await muster('agents', 'show', 'maker')).stdout).toBe(`● maker
  harness      command
  runs         /bin/sh -c 'echo "a b"' {task}
  on exit 0    completes the card
  permissions  edit
  file         ${home}/agents/maker.md
`)
  expect(await muster('agents', 'show', 'ghost')).toMatchObject({ code: 3 })
  expect(await muster('agents', 'check', 'ghost')).toMatchObject({ code: 3 })
  expect((await muster('agents', 'chek')).stderr).toContain('Did you mean muster agents check?')
})

test('`show` prints the model, tools and waiting cards of an agent', async () => {
  const { home, muster } = makeCliHome()
  mkdirSync(join(home, 'agents'), { recursive: true })
  const front = 'harness: codex\nmodel: gpt-5\nprovider: azure\neffort: high\ntools: [kanban]'
  writeFileSync(join(home, 'agents', 'coder.md'), `---\n${front}\n---\n`)
  await muster('create', 'a', '--assignee', 'coder')
  const { stdout } = await muster('agents', 'show', 'coder')
  expect(stdout).toMatch(/model +gpt-5\n +provider +azure\n +effort +high\n +tools +kanban\n +account +codex\n/)
  expect(stdout).toMatch(/^ +waiting +1 card$/m)
  await muster('create', 'b', '--assignee', 'coder')
  expect((await muster('agents', 'show', 'coder')).stdout).toMatch(/^ +waiting +2 cards$/m)
  expect(showOutput.parse((await muster('agents', 'show', 'coder', '--json')).json())).toMatchObject({
    model: 'gpt-5',
    provider: 'azure',
    effort: 'high',
    tools: ['kanban'],
  })
})

test('a misspelled agent name gets a suggestion', async () => {
  const { muster } = makeCliHome()
  await muster('agents', 'add', 'claude', '--harness', 'claude')
  for (const command of ['show', 'check', 'export']) {
    const { code, stderr } = await muster('agents', command, 'claud')
    expect([code, stderr]).toEqual([3, 'muster: There is no agent claud. Did you mean claude?\n'])
  }
  expect((await muster('agents', 'show', 'banana')).stderr).toContain(
    'no agent banana. To list the agents: muster agents',
  )
  expect((await muster('create', 'a', '--assignee', 'claud')).stderr).toContain(
    'agents/claud.md. Did you mean claude? Then run: muster assign t_',
  )
})

test('an unreadable agents folder is an error, not an empty list', async () => {
  const { home, muster } = makeCliHome()
  await muster('init')
  rmSync(join(home, 'agents'), { recursive: true, force: true })
  writeFileSync(join(home, 'agents'), 'no folder')
  const fault = `${join(home, 'agents')} cannot be read (not a folder)`
  for (const argv of [['list'], ['show', 'coder'], ['check'], ['export', 'coder'], ['approve', home]]) {
    const { code, stdout, stderr } = await muster('agents', ...argv)
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      `muster: ${fault}, so your agents cannot run. Make the folder readable.\n`,
    ])
  }
  const made = await muster('create', 'a', '--assignee', 'coder')
  expect(made.stderr).toContain(`The card waits: Agent coder cannot be looked up: ${fault}.`)
  const [, id = ''] = /Created (t_\w+)/.exec(made.stdout) ?? []
  expect((await muster('why', id)).stdout).toContain(`${fault}.`)
  expect((await muster('doctor')).stdout).toContain(fault)
  expect(await muster('create', 'b', '--assignee', 'shell', '--body', 'true')).toMatchObject({ code: 0 })
})

test('the briefing of a command agent starts with its instruction', async () => {
  const { muster } = makeCliHome()
  await muster('agents', 'add', 'maker', '--instruction', 'Be brief.', '--', 'true')
  const card = (await muster('create', 'Paint', '--assignee', 'maker', '--json')).json() as { id: string }
  const { stdout } = await muster('context', card.id)
  expect(stdout).toMatch(/^Be brief\.\n\n# Card /)
  expect(stdout).toContain('Exit with status 0 when the work is done')
})

test.each([40, 60, 100])('the lists of agents and accounts fit a terminal of %i columns', async (columns) => {
  const { home, muster, run, onTerminal } = makeCliHome()
  await muster('init')
  const long = 'Does one thing after another until there is nothing left that anybody would like to have done'
  const front = `harness: shell\ndescription: ${long}\naccount: team\nmaxConcurrent: 2\nmaxRuntime: 30m`
  writeFileSync(join(home, 'agents', 'steadfast.md'), `---\n${front}\n---\n`)
  writeFileSync(join(home, 'agents', 'broken.md'), 'no front matter')
  await muster('accounts', 'pause', 'team')
  const world = { terminal: { columns, rows: 24, colors: false } }
  for (const argv of [['agents'], ['accounts']]) {
    const { stdout } = await run(argv, { world })
    for (const line of stdout.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(columns)
  }
  const { stdout } = await run(['agents'], { world })
  expect(stdout).toMatch(/^● steadfast .*Does one thing/m)
  expect(stdout.includes('account team')).toBe(columns === 100)
  expect((await onTerminal('agents')).stdout).toContain(`● steadfast  shell, account team, at most 2, 30m  ${long}\n`)
})
