import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import * as yaml from 'yaml'
import { expect, onTestFinished, test } from 'vitest'
import { textFault } from '../../src/core/text.ts'
import { SHELL_AGENT, readAgent } from '../../src/agents/agent.ts'
import { faultText } from '../../src/agents/front-matter.ts'
import { readRoster } from '../../src/agents/roster.ts'
import { gateOf } from '../../src/core/reasons/reason.ts'
import { agentFaultText } from '../../src/agents/agent-fault-text.ts'
import { findRunner } from '../../src/agents/runner.ts'

const read = (text: string, stem = 'coder') => readAgent(text, stem, yaml)

const faultsOf = (text: string, stem = 'coder'): readonly string[] => {
  const found = read(text, stem)
  return 'name' in found ? [] : found.map((fault) => faultText(`${stem}.md`, fault))
}

test('the settings and the instruction are read from an agent file', () => {
  const text = `---
name: coder
description: >
  Writes code,
  kindly
harness: command
args: [make, -j, 2, "{task}", "{{plain}}"]
env: [API_KEY]
maxRuntime: 1.5h
maxConcurrent: 2
account: Team
fallback: backup
activeHours: mon-fri 18:00-08:00; sat,sun
permissions: full
tools: [kanban]
onExit: verdict
model: large
provider: Here
effort: high
setup:
  - npm ci
checks:
  - npm test
  - file:out/*.json
skills: [reading, " style ", reading]
---

Be kind.
`
  expect(read(text)).toEqual({
    name: 'coder',
    description: 'Writes code, kindly',
    harness: 'command',
    args: ['make', '-j', '2', '{task}', '{{plain}}'],
    env: ['API_KEY'],
    maxConcurrent: 2,
    maxRuntimeMs: 5_400_000,
    account: 'team',
    activeHours: 'mon-fri 18:00-08:00; sat,sun',
    fallback: 'backup',
    permissions: 'full',
    tools: ['kanban'],
    onExit: 'verdict',
    model: 'large',
    provider: 'Here',
    effort: 'high',
    setup: ['npm ci'],
    checks: ['npm test', 'file:out/*.json'],
    skills: ['reading', 'style'],
    instruction: 'Be kind.',
  })
})

test('missing and blank fields get their default values', () => {
  expect(read('---\nharness: shell\naccount:\nmaxRuntime: null\n---')).toEqual({
    name: 'coder',
    description: null,
    harness: 'shell',
    args: [],
    env: [],
    maxConcurrent: null,
    maxRuntimeMs: null,
    account: null,
    activeHours: null,
    fallback: null,
    permissions: 'edit',
    tools: [],
    onExit: 'complete',
    model: null,
    provider: null,
    effort: null,
    setup: [],
    checks: [],
    skills: [],
    instruction: '',
  })
  expect(read('---\r\nharness: claude\r\n---\r\nBe kind.\r\n')).toMatchObject({
    onExit: 'verdict',
    instruction: 'Be kind.',
  })
})

test.each([
  ['[opencode, acp]', 'opencode'],
  ['["/opt/bin/OpenCode", acp]', 'opencode'],
])('an ACP agent with args %s must report a verdict and defaults to account %s', (args, account) => {
  expect(read(`---\nharness: acp\nargs: ${args}\n---`)).toMatchObject({ onExit: 'verdict', account })
  expect(read(`---\nharness: acp\nargs: ${args}\naccount: team\n---`)).toMatchObject({ account: 'team' })
})

test('the arguments of an ACP agent take no placeholders', () => {
  expect(read('---\nharness: acp\nargs: [speaker, "{body}"]\n---')).toMatchObject({ args: ['speaker', '{body}'] })
})

test.each([
  ['---\nharness: acp\n---\n', 'coder.md:1: args: name the program and its arguments, as in [opencode, acp]'],
  ['---\nharness: acp\nargs: [./bin/agent]\n---\n', 'coder.md:3: args: write the program as a name on the PATH'],
  ['Be kind.', 'coder.md:1: begin with front matter'],
  ['---\nharness: shell\n', 'coder.md:1: begin with front matter'],
  ['---\nharness: shell\nargs: [\n---\n', 'coder.md:4: invalid YAML: '],
  ['---\nharness: shell\nharness: shell\n---\n', 'coder.md:3: invalid YAML: Map keys must be unique'],
  ['---\nharness: shell\nskills: [a, ../b]\n---\n', 'coder.md:3: skills: ../b is not a skill name'],
  ['---\nharness: shell\nskills: "a, b"\n---\n', 'coder.md:3: skills: a, b is not a skill name'],
  ['---\n- harness\n---\n', 'coder.md:2: write one "key: value" on each line'],
  ['---\n---\n', 'coder.md:1: harness: choose one: claude, codex,'],
  ['---\nharness: comand\nargs: [make]\n---\n', 'coder.md:2: harness: choose among claude,'],
  [
    '---\nharness: shell\nactiveHours: nights\n---\n',
    'coder.md:3: activeHours: nights is not a day: write mon, mon-fri or sat,sun',
  ],
  ['---\nharness: shell\nfallback: [a]\n---\n', 'coder.md:3: fallback: write the name of another agent'],
  ['---\nharness: shell\n\nmaxRuntime: soon\n---\n', 'coder.md:4: maxRuntime: write 30m or 2h'],
  ['---\nharness: shell\nmaxConcurrent: 0\n---\n', 'coder.md:3: maxConcurrent: write a whole number, 1 or more'],
  ['---\nharness: shell\nmaxConcurent: 2\n---\n', 'coder.md:3: maxConcurent: unknown setting: use name,'],
  ['---\nharness: shell\nenv:\n  - API_KEY\n  - A=B\n---\n', 'coder.md:5: env: write names of variables only'],
  ['---\nharness: shell\nenv: [MUSTER_HOME]\n---\n', 'coder.md:3: env: MUSTER_HOME is not passed on'],
  ['---\nharness: shell\nenv: API_KEY\n---\n', 'coder.md:3: env: write a list, as in [API_KEY, LANG]'],
  ['---\nharness: gemini\nmodel: --yolo\n---\n', 'coder.md:3: model: it must not start with -'],
  ['---\nharness: shell\nonExit: nothing\n---\n', 'coder.md:3: onExit: choose among complete, verdict'],
  ['---\nharness: shell\nsetup: npm ci\n---\n', 'coder.md:3: setup: write a list, as in [npm ci, npm test]'],
  ['---\nharness: shell\nchecks:\n  - npm test\n  - " "\n---\n', 'coder.md:5: checks: write a command'],
  ['---\nharness: shell\nchecks:\n  - echo: yes\n---\n', 'coder.md:4: checks: write texts only'],
  ['---\nharness: shell\ntools: [all]\n---\n', 'coder.md:3: tools: write kanban for an agent'],
  ['---\nharness: shell\npermissions: all\n---\n', 'coder.md:3: permissions: choose among read, edit, full, ask'],
  ['---\nharness: shell\naccount: [a]\n---\n', 'coder.md:3: account: write a line of text'],
  ['---\nharness: shell\nname: tester\n---\n', 'coder.md:3: name: the file is called coder.md: write coder'],
  ['---\nharness: shell\nargs: [make]\n---\n', 'coder.md:3: args: a shell agent takes no arguments'],
  ['---\nharness: command\n---\n', 'coder.md:1: args: name the program and its arguments'],
  ['---\nharness: command\nargs: make all\n---\n', 'coder.md:3: args: write a list, as in'],
  ['---\nharness: command\nargs: [bin/make]\n---\n', 'coder.md:3: args: write the program as a name on the PATH'],
  ['---\nharness: command\nargs: ["{workspace}/x"]\n---\n', 'coder.md:3: args: the program itself cannot be'],
  ['---\nharness: command\nargs:\n  - make\n  - "{card}"\n---\n', 'coder.md:5: args: unknown placeholder {card}'],
  [
    '---\nharness: command\nargs: [make, "{briefing}"]\n---\n',
    'coder.md:3: args: the briefing comes on standard input',
  ],
  ['---\nharness: command\nargs: [make, {a: b}]\n---\n', 'coder.md:3: args: write texts only'],
])('an error in the agent file %j names the file, line and field', (text, words) => {
  expect(faultsOf(text)).toEqual([expect.stringContaining(words)])
})

test('all errors of an agent file are reported at once, in line order', () => {
  expect(faultsOf('---\nonExit: x\nharness: command\nmaxRuntime: x\n---\n').map((text) => text.split(': ')[1])).toEqual(
    ['args', 'onExit', 'maxRuntime'],
  )
})

test.each([
  ['Coder', 'names have 1-64 characters (a-z'],
  ['my coder', 'names have 1-64 characters (a-z'],
  ['none', 'none means unassigned'],
])('an agent file cannot be called %s.md', (stem, words) => {
  expect(faultsOf('---\nharness: shell\n---\n', stem)).toEqual([expect.stringContaining(words)])
})

function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'muster-roster-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  mkdirSync(join(home, 'agents'))
  return home
}

test('the roster has all agent files and the shell, and broken files are reported', async () => {
  const home = makeHome()
  expect([...(await readRoster(home)).agents.keys()]).toEqual(['shell'])
  writeFileSync(join(home, 'agents', 'builder.md'), '---\nharness: shell\n---\n')
  writeFileSync(join(home, 'agents', 'broken.md'), 'nothing')
  writeFileSync(join(home, 'agents', 'notes.txt'), 'nothing')
  mkdirSync(join(home, 'agents', 'folder.md'))
  symlinkSync('/nowhere', join(home, 'agents', 'dangling.md'))
  const { agents, broken } = await readRoster(home)
  expect([...agents.keys()].toSorted()).toEqual(['builder', 'shell'])
  expect([...broken.keys()]).toEqual(['broken', 'dangling', 'folder'])
  expect(broken.get('folder')?.faults[0]?.message).toBe('cannot be read (it is not a file)')
})

test('a broken shell.md does not fall back to the built-in shell', async () => {
  const home = makeHome()
  writeFileSync(join(home, 'agents', 'shell.md'), 'nothing')
  expect(findRunner('shell', 'assignee', await readRoster(home))).toMatchObject({ code: 'agent_file_broken' })
})

test('an agent file with an invalid name does not hide a valid one', async () => {
  const home = makeHome()
  writeFileSync(join(home, 'agents', 'Coder.md'), '---\nharness: shell\n---\n')
  const roster = await readRoster(home)
  const fault = expect.stringContaining('Coder.md:1: name: names have') as string
  expect(findRunner('coder', 'assignee', roster)).toMatchObject({ code: 'agent_file_broken', params: { fault } })
  const coder = { ...SHELL_AGENT, name: 'coder', file: join(home, 'agents', 'coder.md'), program: null }
  expect(findRunner('coder', 'assignee', { ...roster, agents: new Map([['coder', coder]]) })).toMatchObject({
    agent: coder,
  })
})

test('an agent that cannot run on this machine is reported before the claim', async () => {
  const home = makeHome()
  const agent = (name: string, front: string): void =>
    writeFileSync(join(home, 'agents', `${name}.md`), `---\n${front}\n---\n`)
  agent('typo', 'harness: shell\nmaxRuntime: soon')
  agent('writer', 'harness: acp\nargs: [no-such-agent, acp]')
  agent('coder', 'harness: claude')
  agent('lost', 'harness: command\nargs: [no-such-program]')
  agent('maker', 'harness: command\nargs: [tool]')
  writeFileSync(join(home, 'tool'), '#!/bin/sh\n')
  const roster = () => readRoster(home, { PATH: `relative:${home}` })
  const why = async (name: string) => {
    const found = findRunner(name, 'assignee', await roster())
    return 'code' in found ? `${gateOf(found)}: ${agentFaultText(found)}` : found.agent.program
  }
  expect(await why('typo')).toBe(
    'assignee: The file of agent typo cannot be used: typo.md:3: maxRuntime: write 30m or 2h.',
  )
  expect(await why('writer')).toBe('harness: Agent writer runs no-such-agent, which is not installed here.')
  expect(await why('coder')).toBe('harness: Agent coder runs Claude Code, which is not installed here.')
  expect(await why('lost')).toBe('harness: Agent lost runs no-such-program, which is not installed here.')
  expect(await why('nobody')).toBe('assignee: No agent is called nobody.')
  expect(await why('maker')).toBe('harness: Agent maker runs tool, which is not installed here.')
  chmodSync(join(home, 'tool'), 0o755)
  expect(await why('maker')).toBe(join(home, 'tool'))
})

test('any argument of an agent survives writing and reading its file', () => {
  const plain = fc
    .string({ unit: 'binary', maxLength: 40 })
    .filter((text) => textFault(text) === null && !text.includes('{'))
  const awkward = fc.constantFrom(
    '',
    '---',
    '\n---\n',
    '5',
    'null',
    '~',
    '# no',
    '- x',
    "a'b",
    '"',
    '\\',
    ' a ',
    '\t',
    '\r\n',
    '&a',
    '*a',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(plain, awkward), { maxLength: 5 }), (rest) => {
      const args = ['make', ...rest]
      const front = yaml.stringify({ harness: 'command', args }, { lineWidth: 0 })
      expect(read(`---\n${front}---\n`)).toMatchObject({ args })
    }),
  )
})

test('an edited agent file takes effect at once, even if its length stays the same', async () => {
  const home = makeHome()
  const limitOf = async () => (await readRoster(home)).agents.get('builder')?.maxConcurrent
  writeFileSync(join(home, 'agents', 'builder.md'), '---\nharness: shell\nmaxConcurrent: 2\n---\n')
  expect([await limitOf(), await limitOf()]).toEqual([2, 2])
  writeFileSync(join(home, 'agents', 'builder.md'), '---\nharness: shell\nmaxConcurrent: 3\n---\n')
  expect(await limitOf()).toBe(3)
  rmSync(join(home, 'agents', 'builder.md'))
  expect(await limitOf()).toBeUndefined()
})
