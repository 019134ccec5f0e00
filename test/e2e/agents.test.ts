// Tests agents of the harness `command` through the real binary: their input, and how their ending is classified.
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ReasonValue } from '../../src/cli/render/reasons.ts'
import { listAgents } from '../../src/operations/agents/list-agents.ts'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { writeAgent } from '../helpers/run-cards.ts'

const { output: listOutput } = await listAgents.schemas()

const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'agents')
const fixture = (name: string): string => join(FIXTURES, name)

const why = async (home: TestHome, id: string) =>
  (JSON.parse((await home.runInline('why', id, '--json')).stdout) as { reasons: readonly ReasonValue[] }).reasons

describe('agents of the harness command', () => {
  test('a command agent gets its settings and briefing, and exit 0 completes its card', async () => {
    const home = makeTestHome('sqlite')
    const added = await home.muster(
      'agents',
      'add',
      'maker',
      '--env',
      'FRUIT',
      '--',
      fixture('succeeds'),
      '{body}',
      '{task}/{run}',
      '{workspace}',
    )
    expect(added).toMatchObject({ code: 0, stderr: '' })
    writeAgent(home, 'listener', `harness: command\nargs: [${fixture('reads-stdin')}]`, 'Listen well.\n')
    const body = 'two words; $(touch hacked) "{title}"'
    const made = await home.create('A', '--assignee', 'maker', '--body', body)
    const told = await home.create('B', '--assignee', 'listener', '--body', 'hear this')
    const { code, stderr } = await home.start(['dispatch', '--wait'], { env: { FRUIT: 'pear', SECRET: 'x' } }).ended
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Scratch folders are temporary: .*\n$/)])

    const { status, result, runs } = await home.show(made.id)
    expect([status, result]).toEqual(['done', `worked on ${made.id}`])
    const workspace = home.workspace(made.id, '').replace(/\/$/, '')
    expect(readFileSync(home.workspace(made.id, 'arguments'), 'utf8')).toBe(
      `${body}\n${made.id}/${runs[0]?.id}\n${workspace}\n`,
    )
    const environment = readFileSync(home.workspace(made.id, 'environment'), 'utf8').split('\n')
    expect(environment).toContain('FRUIT=pear')
    expect(environment).toContain('MUSTER_AGENT=maker')
    expect(
      environment.filter((line) => /^(SECRET|MUSTER_NONCE|MUSTER_STORE|MUSTER_HOME|PGPASSWORD)=/.test(line)),
    ).toEqual([])

    expect((await home.show(told.id)).result).toMatch(/^read \d+ bytes$/)
    const words = readFileSync(home.workspace(told.id, 'told'), 'utf8')
    expect(words).toMatch(/^Listen well\.\n\n# Card /)
    expect(words).toContain('hear this')
    expect(words).toContain('Exit with status 0')
  })

  test('exit 1 counts as a failure, and exit 75 only delays its card', async () => {
    const home = makeTestHome('sqlite')
    writeAgent(home, 'bad', `harness: command\nargs: [${fixture('fails')}]`)
    writeAgent(home, 'tired', `harness: command\nonExit: verdict\nargs: [${fixture('rate-limited')}]`)
    const failed = await home.create('A', '--assignee', 'bad')
    const limited = await home.create('B', '--assignee', 'tired')
    await home.dispatch('--wait')
    expect(await home.show(failed.id)).toMatchObject({
      status: 'ready',
      consecutiveFailures: 1,
      lastError: 'exit 3: could not do it',
      runs: [{ outcome: 'crashed', exitCode: 3 }],
    })
    expect(await home.show(limited.id)).toMatchObject({
      status: 'ready',
      consecutiveFailures: 0,
      runs: [{ outcome: 'rate_limited', exitCode: 75 }],
    })
    expect(await why(home, limited.id)).toMatchObject([{ gate: 'cooldown' }, { gate: 'dispatcher' }])
  })

  test('exit 75 with an account pauses all cards of the account', async () => {
    const home = makeTestHome('sqlite')
    writeAgent(home, 'tired', `harness: command\naccount: Team\nmaxConcurrent: 1\nargs: [${fixture('rate-limited')}]`)
    writeAgent(home, 'fresh', `harness: command\naccount: team\nargs: [${fixture('succeeds')}]`)
    const first = await home.create('A', '--assignee', 'tired')
    await home.dispatch('--wait')
    expect(await home.show(first.id)).toMatchObject({ consecutiveFailures: 0, runs: [{ outcome: 'rate_limited' }] })
    const second = await home.create('B', '--assignee', 'fresh')
    const { started } = await home.dispatch()
    expect(started).toEqual([])
    const [reason] = await why(home, second.id)
    expect(reason).toMatchObject({
      gate: 'account_paused',
      message: expect.stringMatching(/^Account team is paused \(quota\)/) as string,
    })
    expect(reason?.at).toBeGreaterThan(Date.now())
    expect((await why(home, first.id)).map(({ gate }) => gate)).toContain('account_paused')
  })

  test('exit 0 without the required verdict is a protocol violation', async () => {
    const home = makeTestHome('sqlite')
    writeAgent(home, 'silent', `harness: command\nonExit: verdict\nargs: [${fixture('succeeds')}]`)
    writeAgent(home, 'speaker', `harness: command\nonExit: verdict\nargs: [${fixture('speaks.mjs')}, "{mcp}"]`)
    const silent = await home.create('A', '--assignee', 'silent')
    const spoken = await home.create('B', '--assignee', 'speaker')
    await home.dispatch('--wait')
    expect(await home.show(silent.id)).toMatchObject({
      status: 'ready',
      consecutiveFailures: 0,
      runs: [{ outcome: 'protocol_violation', exitCode: 0 }],
    })
    const { status, runs } = await home.show(spoken.id)
    const log = readFileSync(runs[0]?.logPath ?? '', 'utf8')
    expect(log).toBe(
      'without the entry: exit 4\nwith it: exit 0\nRecorded complete: the card is settled when this run ends.\n',
    )
    expect([status, runs[0]?.summary]).toEqual(['done', 'said through its tools'])
  })

  test('a card whose agent cannot run waits and shows the reason', async () => {
    const home = makeTestHome('sqlite')
    const program = join(home.home, 'tool')
    writeAgent(home, 'later', `harness: command\nargs: [${program}]`)
    writeAgent(home, 'typo', 'harness: shell\nmaxRuntime: soon')
    writeAgent(home, 'fine', `harness: command\nargs: [${fixture('succeeds')}]`)
    const cards = []
    for (const agent of ['later', 'typo', 'fine']) cards.push(await home.create(agent, '--assignee', agent))
    const [later, typo, fine] = cards.map(({ id }) => id)
    if (later === undefined) throw new Error('no card')
    const report = await home.dispatch('--wait')
    expect(report.started.map(({ id }) => id)).toEqual([fine])
    const firstReason = async (id = '') => (await why(home, id))[0]
    expect(await firstReason(later)).toMatchObject({
      gate: 'harness',
      message: `Agent later runs ${program}, which is not installed here.`,
    })
    expect(await firstReason(typo)).toMatchObject({
      gate: 'assignee',
      message: expect.stringContaining('typo.md:3: maxRuntime: write 30m or 2h'),
    })

    writeFileSync(program, `#!/bin/sh\nrm -f '${program}'; exit 1\n`)
    chmodSync(program, 0o755)
    await home.dispatch('--wait')
    const listed = listOutput.parse(JSON.parse((await home.runInline('agents', '--json')).stdout))
    expect(listed.find(({ name }) => name === 'later')).toMatchObject({ isUsable: false })
    expect((await home.show(later)).runs).toMatchObject([{ outcome: 'crashed', attempt: 1 }])
  })

  test("an agent's own limits on parallel runs and runtime apply", async () => {
    const home = makeTestHome('sqlite')
    writeAgent(home, 'slow', `harness: command\nmaxConcurrent: 1\nmaxRuntime: 2s\nargs: [${fixture('hangs')}]`)
    const first = await home.create('A', '--assignee', 'slow', '--max-runtime', '1h')
    const second = await home.create('B', '--assignee', 'slow')
    expect((await home.dispatch()).started.map(({ id }) => id)).toEqual([first.id])
    const [cap] = await why(home, second.id)
    expect(cap).toMatchObject({ gate: 'cap', message: 'The limit of the agent is reached: 1 of 1 runs.' })
    const { directory } = await home.liveRun(first.id)
    await home.until(
      'it has begun',
      () => existsSync(directory.log) && readFileSync(directory.log, 'utf8') === 'begun\n',
    )
    expect((await home.runInline('stop', first.id)).code).toBe(0)
    expect((await home.dispatch('--wait')).settled).toMatchObject([{ id: second.id, outcome: 'timed_out' }])
    rmSync(join(home.home, 'agents', 'slow.md'))
    expect((await why(home, second.id))[0]).toMatchObject({ message: 'No agent is called slow.' })
  })
})
