// Tests how Muster finds, installs and checks agent CLIs. Scripts on the PATH replace the real CLIs.
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkAgents } from '../../src/operations/agents/check-agents.ts'
import { exportAgent } from '../../src/operations/agents/export-agent.ts'
import { importAgent } from '../../src/operations/agents/import-agent.ts'
import { initHome } from '../../src/operations/machine/init-home.ts'
import { installAgents } from '../../src/operations/agents/install-agents.ts'
import { listAgents } from '../../src/operations/agents/list-agents.ts'
import { removeAgent } from '../../src/operations/agents/remove-agent.ts'
import { CLI_NAMES } from '../../src/harnesses/detect/clis.ts'
import { makeCliHome } from '../helpers/in-process.ts'

const { output: checkOutput } = await checkAgents.schemas()
const { output: exportOutput } = await exportAgent.schemas()
const { output: importOutput } = await importAgent.schemas()
const { output: initOutput } = await initHome.schemas()
const { output: installOutput } = await installAgents.schemas()
const { output: listOutput } = await listAgents.schemas()
const { output: removeOutput } = await removeAgent.schemas()

const TEAM = ['orchestrator', 'researcher', 'writer', 'analyst', 'engineer', 'reviewer', 'ops']

/** Makes a machine with these scripts as programs, and a user with an empty home directory. */
function makeMachine(clis: Readonly<Record<string, string>>, variables: Readonly<Record<string, string>> = {}) {
  const { home, around, run } = makeCliHome()
  const [bin, user] = [join(around, 'bin'), join(around, 'user')]
  for (const folder of [bin, user]) mkdirSync(folder)
  const install = (name: string, script: string): void =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  for (const [name, script] of Object.entries(clis)) install(name, script)
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: user, ...variables }
  const agents = join(home, 'agents')
  return {
    home,
    around,
    bin,
    user,
    install,
    muster: (...argv: string[]) => run(argv, { env }),
    written: () => (existsSync(agents) ? readdirSync(agents).toSorted() : []),
    agent: (name: string) => readFileSync(join(agents, `${name}.md`), 'utf8'),
    file: (name: string) => join(agents, `${name}.md`),
  }
}

const printsVersion = (version: string): string => `echo "${version} (of a kind)"`

describe('init', () => {
  test('`init` adds an agent for each CLI on the PATH, and lists the others', async () => {
    const { muster, written, bin, file, home } = makeMachine({
      claude: printsVersion('1.0.0'),
      codex: printsVersion('1.0.0'),
    })
    const { code, stdout, stderr } = await muster('init')
    expect([code, stderr, written()]).toEqual([0, '', ['claude.md', 'codex.md']])
    expect(stdout.split('\n')).toEqual([
      `Created your Muster folder: ${home}`,
      `Found claude (${bin}/claude): added agent ${file('claude')}.`,
      `Found codex (${bin}/codex): added agent ${file('codex')}.`,
      'To give claude a card: --assignee claude. To see what each agent can do: muster agents check',
      'Not installed: opencode, gemini, hermes. After installing one, run muster init to add its agent.',
      expect.stringMatching(/^Next: muster create .*, then muster up$/),
      '',
    ])
    expect(statSync(file('claude')).mode & 0o077).toBe(0)
  })

  test('a second `init` keeps agent files and adds newly installed CLIs', async () => {
    const { muster, install, written, agent, file } = makeMachine({ claude: printsVersion('1.0.0') })
    await muster('init')
    writeFileSync(file('claude'), '---\nharness: claude\nmodel: mine\n---\n')
    install('gemini', printsVersion('1.0.0'))
    const { stdout } = await muster('init', '--json')
    const made = initOutput.parse(JSON.parse(stdout))
    expect(made.created).toBe(false)
    expect(made.clis.map(({ name, written: isNew }) => [name, isNew])).toEqual([
      ['claude', false],
      ['codex', false],
      ['opencode', false],
      ['gemini', true],
      ['hermes', false],
    ])
    expect(made.clis[1]).toMatchObject({ name: 'codex', program: null, file: null })
    expect([agent('claude'), written()]).toEqual([
      '---\nharness: claude\nmodel: mine\n---\n',
      ['claude.md', 'gemini.md'],
    ])
    expect((await muster('init')).stdout).toContain('kept your agent')
  })

  test('`init` reports an invalid agent file, and suggests another agent', async () => {
    const { muster, file, bin } = makeMachine({ claude: printsVersion('1.0.0'), codex: printsVersion('1.0.0') })
    mkdirSync(dirname(file('claude')), { recursive: true })
    writeFileSync(file('claude'), '---\nharness: cluade\n---\n')
    const { stdout } = await muster('init')
    expect(stdout).toContain(
      `Found claude (${bin}/claude): its agent is unavailable: claude.md:2: harness: choose among`,
    )
    expect(stdout).toContain('To give codex a card: --assignee codex.')
    const { clis } = initOutput.parse((await muster('init', '--json')).json())
    expect(clis.slice(0, 2).map(({ problem }) => problem)).toEqual([expect.stringContaining('claude.md:2'), null])
  })

  test('`init` without an agent CLI prints the next step', async () => {
    const { muster, written } = makeMachine({})
    const { stdout } = await muster('init')
    expect(stdout).toContain('No agent CLI is on your PATH (claude, codex, opencode, gemini, hermes). Install one')
    expect(written()).toEqual([])
  })

  test('the first command that writes to the store also adds agents', async () => {
    const { muster, written } = makeMachine({ opencode: printsVersion('1.0.0') })
    const { stderr } = await muster('create', 'A card', '--assignee', 'opencode')
    expect(stderr).toContain('Found opencode (')
    expect(stderr).not.toContain('Not found')
    expect(stderr).not.toContain('The card waits')
    expect(written()).toEqual(['opencode.md'])
  })

  test.each(CLI_NAMES)('the agent that `init` writes for %s is usable, with edit permissions', async (name) => {
    const { muster, bin } = makeMachine({ [name]: printsVersion('1.0.0') })
    await muster('init')
    const agents = listOutput.parse((await muster('agents', '--json')).json())
    expect(agents.find((agent) => agent.name === name)).toMatchObject({
      harness: name,
      program: join(bin, name),
      permissions: 'edit',
      account: name,
      onExit: 'verdict',
      isUsable: true,
      env: [],
    })
  })

  test('the agent file names an API key that is set, without its value', async () => {
    const { muster, agent } = makeMachine({ claude: printsVersion('1.0.0') }, { ANTHROPIC_API_KEY: 'sk-secret' })
    await muster('init')
    expect(agent('claude')).toContain('\nenv: [ANTHROPIC_API_KEY]\n')
    expect(agent('claude')).not.toContain('sk-secret')
  })
})

describe('agents install starter', () => {
  test.each(CLI_NAMES)('`install starter` adds a usable team of agents for %s', async (name) => {
    const { muster, written } = makeMachine({ [name]: printsVersion('1.0.0') })
    const made = installOutput.parse((await muster('agents', 'install', 'starter', '--harness', name, '--json')).json())
    expect(made.harness).toBe(name)
    expect(made.agents.map((agent) => [agent.name, agent.written])).toEqual(TEAM.map((role) => [role, true]))
    expect(written()).toEqual(TEAM.map((role) => `${role}.md`).toSorted())
    const agents = listOutput.parse((await muster('agents', '--json')).json()).filter(({ file }) => file !== null)
    expect(agents.filter(({ isUsable, harness }) => isUsable && harness === name)).toHaveLength(TEAM.length)
    // The user did not choose these agents one by one, so no agent gets full permissions.
    expect(agents.filter(({ permissions }) => permissions === 'full')).toEqual([])
  })

  test('only the orchestrator of the starter team has all tools, and every agent has an instruction', async () => {
    const { muster, agent } = makeMachine({ codex: printsVersion('1.0.0') })
    await muster('agents', 'install', 'starter')
    expect(TEAM.filter((role) => agent(role).includes('tools: [kanban]'))).toEqual(['orchestrator'])
    for (const role of TEAM) expect((await muster('agents', 'show', role)).stdout).toMatch(/\nInstruction\n {2}You /)
  })

  test('`install starter` does not overwrite existing agents, and lists them', async () => {
    const { muster, home, agent } = makeMachine({ claude: printsVersion('1.0.0') })
    await muster('agents', 'add', 'writer', '--', 'cat')
    const mine = agent('writer')
    const { stdout } = await muster('agents', 'install', 'starter', '--harness', 'claude')
    expect(stdout).toBe(
      `Added orchestrator, researcher, analyst, engineer, reviewer, ops for claude in ${home}/agents.\n` +
        'Not overwritten: writer.\n',
    )
    expect(agent('writer')).toBe(mine)
    const again = await muster('agents', 'install', 'starter', '--harness', 'claude')
    expect(again).toMatchObject({ code: 0, stdout: `Not overwritten: ${TEAM.join(', ')}.\n` })
  })

  test.each([
    [['starter', '--harness', 'codex'], 'codex is not on your PATH. Install it (npm install -g @openai/codex)'],
    [['starter', '--harness', 'magic'], '--harness: use one of claude, codex, opencode, gemini, hermes'],
    [['starter'], 'Several agent CLIs are installed. Choose one: --harness claude or gemini.'],
    [['everything'], '<set>: the only choice is starter.'],
  ])('the refused command install %j prints the reason and writes nothing', async (argv, message) => {
    const { muster, written } = makeMachine({ claude: printsVersion('1.0.0'), gemini: printsVersion('1.0.0') })
    const { code, stderr } = await muster('agents', 'install', ...argv)
    expect([code, stderr.trim().split('\n').length, written()]).toEqual([2, 1, []])
    expect(stderr).toContain(message)
  })
})

describe('agents export and import', () => {
  test('an exported agent can be imported elsewhere, under any file name', async () => {
    const here = makeMachine({})
    await here.muster('agents', 'add', 'maker', '--instruction', 'Be brief.', '--max-runtime', '5m', '--', 'cat')
    const to = join(here.around, 'anything.txt')
    const made = exportOutput.parse((await here.muster('agents', 'export', 'maker', '--to', to, '--json')).json())
    expect(made).toMatchObject({ name: 'maker', path: to, text: readFileSync(to, 'utf8') })
    expect((await here.muster('agents', 'export', 'maker')).stdout).toBe(made.text)
    const there = makeMachine({})
    const taken = importOutput.parse((await there.muster('agents', 'import', to, '--json')).json())
    expect(taken).toMatchObject({ name: 'maker', args: ['cat'], maxRuntimeMs: 300_000, isUsable: true })
    expect((await there.muster('agents', 'export', 'maker')).stdout).toBe(made.text)
  })

  test('`export` writes the agent name into a blank name field', async () => {
    const { muster, file } = makeMachine({})
    await muster('agents', 'add', 'maker', '--', 'cat')
    writeFileSync(file('maker'), '---\n# mine\nname:\nharness: shell\n---\nBe brief.\n')
    const { stdout } = await muster('agents', 'export', 'maker')
    expect(stdout).toBe('---\n# mine\nname: maker\nharness: shell\n---\nBe brief.\n')
  })

  test('`import` refuses an invalid file with its name, line and field', async () => {
    const { muster, around, written } = makeMachine({})
    const path = join(around, 'coder.md')
    writeFileSync(path, '---\nharness: shell\nmaxRuntime: soon\ncolour: red\n---\n')
    const { code, stderr } = await muster('agents', 'import', path)
    expect(code).toBe(2)
    expect(stderr).toContain('coder.md:3: maxRuntime: write 30m or 2h; coder.md:4: colour: unknown setting')
    expect(written()).toEqual([])
    writeFileSync(path, 'just text\n')
    expect((await muster('agents', 'import', path)).stderr).toContain('coder.md:1: begin with front matter')
  })

  test('`import` overwrites an existing agent only with --force', async () => {
    const { muster, around, agent } = makeMachine({})
    await muster('agents', 'add', 'maker', '--', 'cat')
    const [mine, path] = [agent('maker'), join(around, 'maker.md')]
    writeFileSync(path, '---\nharness: shell\npermissions: full\n---\n')
    const refused = await muster('agents', 'import', path)
    expect([refused.code, agent('maker')]).toEqual([1, mine])
    expect(refused.stderr).toContain('To overwrite it, add --force.')
    const forced = await muster('agents', 'import', path, '--force')
    expect([forced.code, agent('maker')]).toEqual([0, readFileSync(path, 'utf8')])
    expect(forced.stderr).toContain('this agent can do everything that you can')
  })

  test('a failed export or import reports the reason', async () => {
    const { muster, around, file } = makeMachine({})
    await muster('agents', 'add', 'maker', '--', 'cat')
    expect((await muster('agents', 'export', 'shell')).stderr).toContain('it is built in')
    expect(await muster('agents', 'export', 'ghost')).toMatchObject({ code: 3 })
    expect((await muster('agents', 'export', 'maker', '--to', file('maker'))).stderr).toContain('already exists')
    expect((await muster('agents', 'import', join(around, 'gone.md'))).stderr).toContain('it does not exist')
    expect((await muster('agents', 'import', around)).stderr).toContain('it is a folder')
    writeFileSync(file('maker'), '---\nharness: magic\n---\n')
    expect((await muster('agents', 'export', 'maker')).stderr).toContain(
      'fix its file first: maker.md:2: harness: choose',
    )
  })
})

describe('agents remove', () => {
  test('`remove` keeps the file under another name, and counts the assigned cards', async () => {
    const { muster, file, written } = makeMachine({})
    await muster('agents', 'add', 'maker', '--', 'cat')
    await muster('create', 'A card', '--assignee', 'maker')
    const text = readFileSync(file('maker'), 'utf8')
    const removed = await muster('agents', 'remove', 'maker')
    const kept = join(dirname(file('maker')), '.maker.md.removed')
    expect(removed.stdout).toBe(`Removed agent maker. Its file is kept as ${kept}.\n`)
    expect(removed.stderr).toBe('1 card is still assigned to it. To list: muster list --assignee maker\n')
    expect([existsSync(file('maker')), readFileSync(kept, 'utf8')]).toEqual([false, text])
    expect((await muster('agents')).stdout).toContain('No agent is called maker.')
    await muster('agents', 'add', 'maker', '--', 'true')
    const again = removeOutput.parse((await muster('agents', 'rm', 'maker', '--json')).json())
    expect(again).toEqual({ name: 'maker', file: file('maker'), kept, successor: null, waiting: 1 })
    expect(written()).not.toContain('maker.md')
  })

  test('`remove` accepts an invalid agent file, and refuses unknown and built-in agents', async () => {
    const { muster, file } = makeMachine({})
    await muster('agents', 'add', 'maker', '--', 'cat')
    writeFileSync(file('maker'), 'nothing')
    expect(await muster('agents', 'remove', 'makr')).toMatchObject({ code: 3 })
    expect(await muster('agents', 'remove', 'maker')).toMatchObject({ code: 0 })
    expect(await muster('agents', 'remove', 'shell')).toMatchObject({
      code: 2,
      stderr: 'muster: Agent shell is built in and cannot be removed.\n',
    })
  })
})

describe('agents check', () => {
  test('`check` shows the version, login and tested features of each CLI', async () => {
    const { muster, bin, user } = makeMachine({
      claude: printsVersion('2.1.197'),
      codex: printsVersion('codex-cli 0.200.1'),
    })
    mkdirSync(join(user, '.claude'))
    writeFileSync(join(user, '.claude', '.credentials.json'), 'top secret')
    const { code, stdout } = await muster('agents', 'check')
    expect(code).toBe(0)
    expect(stdout).toBe(`✓ shell  runs the body of its card
claude  Claude Code 2.1.197
  program      ${bin}/claude
  login        ~/.claude/.credentials.json exists
  tested       board tools, resume, usage, permissions enforced
codex  Codex 0.200.1
  program      ${bin}/codex
  login        unknown
  tested       board tools, resume, usage, permissions enforced (with version 0.166.0, not this one)
  sandbox      not tested: it prints nothing
Not installed: opencode, gemini, hermes.
`)
  })

  test('`check` prints the login command for an agent without a visible login', async () => {
    const { muster, user } = makeMachine({
      claude: printsVersion('2.1.197'),
      codex: printsVersion('codex-cli 0.200.1'),
    })
    mkdirSync(join(user, '.claude'))
    writeFileSync(join(user, '.claude', '.credentials.json'), 'top secret')
    await muster('init')
    const { stdout } = await muster('agents', 'check')
    expect(stdout).toMatch(/^✓ claude +runs /m)
    expect(stdout).toMatch(/^\? codex +runs .*; no login found\. To log in: codex login$/m)
  })

  test('`check` reports an adapter that never ran with its CLI as untested', async () => {
    const { muster, user, agent } = makeMachine({ hermes: 'echo "Hermes Agent v0.21.5 (2026.9.24)"' })
    mkdirSync(join(user, '.hermes'))
    writeFileSync(join(user, '.hermes', '.env'), 'OPENROUTER_API_KEY=sk-secret')
    expect((await muster('init')).stdout).toMatch(/^Found hermes .* Untested: its adapter has never run/m)
    expect(agent('hermes')).toContain('# Untested')
    const { stdout } = await muster('agents', 'check', 'hermes')
    expect(stdout).toContain('hermes  Hermes Agent 0.21.5')
    expect(stdout).toContain('  login        ~/.hermes/.env exists')
    expect(stdout).toContain('  tested       nothing: the adapter follows the documentation')
    expect(stdout).toContain('  untested     board tools, resume, usage, permissions enforced')
  })

  test.each([
    ['works', 'shift 2; touch() { return 1; }; eval "$3"', 'works: a command inside it could not write'],
    ['does not work', 'shift 2; "$@"', 'does not work: a command inside it could write'],
    ['does not start', 'echo "no such subcommand" >&2; exit 2', 'not tested: no such subcommand'],
  ])('`check` detects a sandbox that %s by running a command in it', async (_, sandboxed, result) => {
    const { muster } = makeMachine({ codex: `[ "$1" = sandbox ] || { echo 0.166.0; exit; }; ${sandboxed}` })
    expect((await muster('agents', 'check')).stdout).toContain(`  sandbox      ${result}\n`)
  })

  test('`check` of one agent shows only the CLI of that agent', async () => {
    const { muster } = makeMachine({ claude: printsVersion('1.0.0'), gemini: printsVersion('1.0.0') })
    await muster('init')
    const of = async (name: string) => checkOutput.parse((await muster('agents', 'check', name, '--json')).json())
    expect((await of('gemini')).clis.map(({ name, version }) => [name, version])).toEqual([['gemini', '1.0.0']])
    expect((await of('shell')).clis).toEqual([])
  })

  test('`check` reports an API key that no agent can read', async () => {
    const { muster, file } = makeMachine({ gemini: printsVersion('1.0.0') }, { GEMINI_API_KEY: 'sk-secret' })
    await muster('init')
    const readable = await muster('agents', 'check')
    expect(readable.stdout).toContain('login        GEMINI_API_KEY is set')
    expect(readable.stdout).not.toContain('!')
    writeFileSync(file('gemini'), '---\nharness: gemini\n---\n')
    const unreadable = await muster('agents', 'check')
    expect(unreadable.stdout).toContain(
      '! Agent gemini cannot read GEMINI_API_KEY. Name it under env in the agent file.',
    )
    expect(readable.stdout + unreadable.stdout).not.toContain('sk-secret')
  })

  test('`check` changes no folder of the user, even if a CLI writes files', async () => {
    const writes = (folder: string): string => `mkdir -p "${folder}" && date > "${folder}/state"; echo 1.0.0`
    const { muster, user } = makeMachine({
      claude: writes('${CLAUDE_CONFIG_DIR:-$HOME/.claude}'),
      codex: writes('${CODEX_HOME:-$HOME/.codex}'),
      opencode: writes('${XDG_STATE_HOME:-$HOME/.local/state}/opencode'),
      gemini: writes('${GEMINI_CLI_HOME:-$HOME}/.gemini'),
      hermes: writes('${HERMES_HOME:-$HOME/.hermes}'),
    })
    const { clis } = checkOutput.parse((await muster('agents', 'check', '--json')).json())
    expect(clis.map(({ version }) => version)).toEqual(CLI_NAMES.map(() => '1.0.0'))
    expect(readdirSync(user)).toEqual([])
  })

  test('`check` reports a CLI that fails or prints no version', async () => {
    const crash = "printf 'node:fs:448\\n  ^\\n\\nSyntaxError: Invalid flags\\n  at x\\n' >&2; exit 1"
    const { muster } = makeMachine({ claude: 'echo no licence >&2; exit 3', codex: 'echo hello', opencode: crash })
    const { clis } = checkOutput.parse((await muster('agents', 'check', '--json')).json())
    expect(clis.slice(0, 3).map(({ version, fault }) => [version, fault])).toEqual([
      [null, 'it reports no version: no licence'],
      [null, 'it reports no version: its output has none'],
      [null, 'it reports no version: SyntaxError: Invalid flags'],
    ])
  })

  const introduces = (answer: object): string =>
    `read question; echo Welcome; echo '${JSON.stringify({ jsonrpc: '2.0', id: 0, ...answer })}'; sleep 60`

  test('`check` shows the name that an ACP agent reports, and its untested features', async () => {
    const agentInfo = { name: 'opencode', title: 'OpenCode', version: '1.18.33' }
    const { muster, bin } = makeMachine({
      opencode: `[ "$1" != --version ] || { echo 1.18.33; exit; }; ${introduces({
        result: { protocolVersion: 1, agentInfo, agentCapabilities: { loadSession: true } },
      })}`,
      speaker: introduces({ result: { protocolVersion: 1, agentCapabilities: {} } }),
    })
    await muster('agents', 'add', 'one', '--harness', 'acp', '--', 'opencode', 'acp')
    await muster('agents', 'add', 'two', '--harness', 'acp', '--', 'speaker')
    const { code, stdout } = await muster('agents', 'check')
    expect(code).toBe(0)
    expect(stdout).toContain(`✓ one    runs ${bin}/opencode acp
  ACP          OpenCode 1.18.33; reports that it can resume sessions
  tested       board tools, resume, permissions enforced
  untested     usage
`)
    expect(stdout).toContain(`✓ two    runs ${bin}/speaker
  ACP          an unnamed agent; reports that it cannot resume sessions
  untested     board tools, resume, usage, permissions enforced
`)
    const one = checkOutput.parse((await muster('agents', 'check', 'one', '--json')).json())
    expect(one.clis.map(({ name }) => name)).toEqual(['opencode'])
  })

  test('`check` reports why a program does not work over ACP', async () => {
    const { muster } = makeMachine({
      fails: 'echo no licence >&2; exit 3',
      parrot: 'cat',
      refuses: introduces({ error: { code: -32600, message: 'too old' } }),
    })
    for (const name of ['fails', 'parrot', 'refuses'])
      await muster('agents', 'add', name, '--harness', 'acp', '--', name)
    const checked = await muster('agents', 'check', '--json')
    const { agents } = checkOutput.parse(checked.json())
    expect(checked.code).toBe(1)
    expect(agents.flatMap(({ spoken }) => spoken?.fault ?? [])).toEqual([
      'it ended without an answer: no licence',
      'it only echoes its input',
      'too old',
    ])
    expect(agents.filter(({ isUsable }) => isUsable).map(({ name }) => name)).toEqual(['shell'])
    expect((await muster('agents', 'check', 'fails')).stdout).toBe(
      '✗ fails  Agent fails does not work over ACP: it ended without an answer: no licence.\n',
    )
  })

  test('`check` ends a CLI that never answers, even if the CLI ignores SIGTERM', async () => {
    const hanging = 'trap "" TERM; sleep 60 & sleep 60'
    const { muster } = makeMachine(
      { codex: hanging, gemini: hanging, speaker: hanging },
      { MUSTER_VERSION_WAIT_MS: '200' },
    )
    await muster('agents', 'add', 'mute', '--harness', 'acp', '--', 'speaker')
    const { stdout } = await muster('agents', 'check')
    expect(stdout).toMatch(/^codex {2}Codex \(it reports no version: .*codex did not end in time\)$/m)
    expect(stdout).toMatch(/^gemini {2}Gemini CLI \(it reports no version: .*gemini did not end in time\)$/m)
    expect(stdout).toContain('it did not answer as an ACP agent within 0.6 s')
  })
})
