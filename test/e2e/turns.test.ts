// Tests runs of several turns with real processes: an agent that ends its turn without a valid verdict is asked again
// in the same run.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { writeVerdict } from '../../src/runs/files/verdict-file.ts'
import { appeared, isLiving, makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'

const PLAYS = join(import.meta.dirname, '..', 'fixtures', 'agents', 'plays.mjs')

type Step = readonly [string, ...unknown[]]

/** Makes a home with the agent `player`, which follows the steps in the body of its card, turn by turn. */
function makePlayerHome(config = ''): TestHome {
  const home = makeTestHome('sqlite')
  mkdirSync(join(home.home, 'agents'), { recursive: true })
  writeFileSync(
    join(home.home, 'agents', 'player.md'),
    `---\nharness: command\nonExit: verdict\nargs: [${PLAYS}, "{mcp}", "{turn}", "{body}"]\n---\nPlay.\n`,
  )
  if (config !== '') writeFileSync(join(home.home, 'config.yaml'), config)
  return home
}

const createPlayerCard = async (
  home: TestHome,
  turns: readonly (readonly Step[])[],
  ...flags: string[]
): Promise<TaskId> =>
  (await home.create('played', '--assignee', 'player', '--body', JSON.stringify(turns), ...flags)).id

async function runPlayer(home: TestHome, turns: readonly (readonly Step[])[], ...flags: string[]) {
  const id = await createPlayerCard(home, turns, ...flags)
  await home.dispatch('--wait')
  return resultOf(home, id)
}

interface Line {
  readonly turn: number
  readonly told?: string
  readonly variable?: string
  readonly said?: string
  readonly recorded?: string | null
  readonly error?: { readonly code: string; readonly details: Record<string, unknown> } | null
}

async function resultOf(home: TestHome, id: TaskId) {
  const card = await home.show(id)
  const log = readFileSync(card.runs.at(-1)?.logPath ?? '', 'utf8')
  const lines = log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
  const turns = card.events.filter(({ kind }) => kind === 'turn_started').map(({ data }) => data)
  return { card, log, turns, told: lines.flatMap(({ told = [] }) => told), said: lines.filter(({ said }) => said) }
}

/** Makes a folder outside the workspace, so that its files do not change the result of the checks. */
function aside(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-turns-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

// These tests run only on SQLite: the store holds only the verdicts of turns, and other tests cover verdicts on both
// engines.
describe('turns', () => {
  test('an agent fixes a failed check within the same turn', async () => {
    const { card, turns, said } = await runPlayer(
      makePlayerHome(),
      [
        [
          ['say', 'complete'],
          ['write', 'good'],
          ['say', 'complete', { summary: 'fixed' }],
        ],
      ],
      '--check',
      'echo looking; test -f good',
    )
    expect(card).toMatchObject({ status: 'done', result: 'fixed' })
    expect(turns).toEqual([])
    expect(said).toMatchObject([
      { error: { code: 'checks_failed', details: { triesLeft: 2, output: expect.stringContaining('looking') } } },
      { recorded: expect.stringContaining('its checks passed'), error: null },
    ])
  })

  test('a run completes even if its agent does not exit after its verdict', async () => {
    const { card } = await runPlayer(makePlayerHome('turnEndMs: 300\n'), [
      [
        ['say', 'complete', { summary: 'all there is to say' }],
        ['wait', 'never'],
      ],
    ])
    expect(card).toMatchObject({ status: 'done', result: 'all there is to say', consecutiveFailures: 0 })
    expect(card.runs).toMatchObject([{ outcome: 'completed', attempt: 1 }])
  })

  test('an agent whose verdict was withdrawn gets time for another verdict', async () => {
    const { card, turns } = await runPlayer(
      makePlayerHome('turnEndMs: 100\n'),
      [
        [
          ['say', 'complete'],
          ['pause', 1_000],
          ['write', 'good'],
          ['say', 'complete', { summary: 'fixed' }],
        ],
      ],
      '--check',
      'test -f good',
    )
    expect(card).toMatchObject({ status: 'done', result: 'fixed' })
    expect(turns).toEqual([])
  })

  test('checks that fail after the turn ended start another turn', async () => {
    const folder = aside()
    const home = makePlayerHome('verdictWaitMs: 200\n')
    const { card, turns, told, said } = await runPlayer(
      home,
      [
        [
          ['say', 'complete', { summary: 'early' }],
          ['write', join(folder, 'ended')],
        ],
        [
          ['write', 'good'],
          ['say', 'complete', { summary: 'late' }],
        ],
      ],
      '--check',
      `while ! test -f ${folder}/ended; do sleep 0.2; done; sleep 0.5; echo looking; test -f good`,
    )
    expect(said).toMatchObject([
      { turn: 1, recorded: expect.stringContaining('checking. End your turn') },
      { turn: 2, recorded: expect.stringContaining('checking. End your turn') },
    ])
    expect(told[1]).toMatch(/its checks failed[^]*2 tries are left[^]*looking/)
    expect(turns).toMatchObject([{ turn: 2, cause: 'checks_failed', reason: expect.stringContaining('2 tries left') }])
    expect(card).toMatchObject({ status: 'done', result: 'late' })
    expect(card.runs).toMatchObject([{ outcome: 'completed', exitCode: 0, checks: { tries: 1 } }])
  })

  test('check tries are counted across turns until the run fails', async () => {
    const tryIt = (name: string): Step[] => [
      ['write', name],
      ['say', 'complete'],
    ]
    const home = makePlayerHome('verdictWaitMs: 1\n')
    const { card, turns } = await runPlayer(
      home,
      [tryIt('a'), tryIt('b'), tryIt('c'), tryIt('d')],
      '--check',
      'sleep 0.3; false',
      '--max-retries',
      '1',
    )
    expect(turns).toMatchObject([
      { turn: 2, cause: 'checks_failed' },
      { turn: 3, cause: 'checks_failed' },
    ])
    expect(card).toMatchObject({ status: 'blocked', blockKind: 'breaker', consecutiveFailures: 1 })
    expect(card.runs).toMatchObject([{ outcome: 'checks_failed', checks: { tries: 3 } }])
  })

  test('a repeated verdict `complete` settles the run once and uses no extra try', async () => {
    const { card, said } = await runPlayer(
      makePlayerHome(),
      [
        [
          ['say', 'complete'],
          ['say', 'complete'],
          ['write', 'good'],
          ['say', 'complete'],
          ['say', 'complete'],
        ],
      ],
      '--check',
      'test -f good',
    )
    expect(said.map(({ error }) => error?.details['triesLeft'] ?? null)).toEqual([2, 2, null, null])
    expect(card.runs).toMatchObject([{ outcome: 'completed', checks: { tries: 1 } }])
    expect(card.events.filter(({ kind }) => kind === 'completed')).toHaveLength(1)
  })

  test('an agent that exits without a verdict is asked for one', async () => {
    const { card, turns, told, log } = await runPlayer(makePlayerHome(), [
      [],
      [['say', 'block', { reason: 'which colour' }]],
    ])
    expect(card).toMatchObject({ status: 'blocked', blockReason: 'which colour' })
    expect(card.runs).toMatchObject([{ outcome: 'blocked', exitCode: 0 }])
    expect(turns).toMatchObject([{ turn: 2, cause: 'no_verdict' }])
    expect(told[0]).toMatch(/^Play\.\n\n# Card /)
    expect(told[1]).toContain(`without a verdict on card ${card.id}`)
    expect(log).toContain('"turn":2,"variable":"2"')
  })

  test('a run without a verdict after two reminders violates the protocol (scenario 23)', async () => {
    const { card, turns, told, log } = await runPlayer(makePlayerHome(), [[], [], [], [['say', 'complete']]])
    expect(turns).toMatchObject([
      { turn: 2, cause: 'no_verdict' },
      { turn: 3, cause: 'no_verdict' },
    ])
    expect(told).toHaveLength(3)
    expect(told[2]).toContain('the last reminder')
    expect(log).not.toContain('"turn":4')
    expect(card).toMatchObject({ status: 'ready', consecutiveFailures: 0 })
    expect(card.runs).toMatchObject([{ outcome: 'protocol_violation', exitCode: 0 }])
    expect(card.lastError).toMatch(/^exit 0: [^]*the last reminder/)
  })

  test('an agent that fails in a later turn is not asked again', async () => {
    const { card, turns } = await runPlayer(makePlayerHome(), [[], [['exit', 3]]])
    expect(turns).toHaveLength(1)
    expect(card.runs).toMatchObject([{ outcome: 'crashed', exitCode: 3 }])
  })

  test('a script that exits without a required verdict is not asked for one', async () => {
    const home = makePlayerHome()
    writeFileSync(join(home.home, 'agents', 'script.md'), '---\nharness: shell\nonExit: verdict\n---\n')
    const { id } = await home.create('mute', '--assignee', 'script', '--body', 'echo x >>runs')
    await home.dispatch('--wait')
    expect((await home.show(id)).runs).toMatchObject([{ outcome: 'protocol_violation' }])
    expect(readFileSync(home.workspace(id, 'runs'), 'utf8')).toBe('x\n')
  })

  test('a supervisor killed in a later turn interrupts the run', async () => {
    const home = makePlayerHome()
    const id = await createPlayerCard(home, [
      [],
      [
        ['write', 'second'],
        ['wait', 'never'],
      ],
    ])
    await home.dispatch()
    const { run, supervisor, directory } = await home.liveRun(id)
    await home.until('the second turn works', () => appeared(home.workspace(id, 'second')))
    expect(existsSync(directory.exit)).toBe(false)
    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is dead', () => !isLiving(run))
    await home.runInline('hold', id)
    await home.dispatch()
    const { card, turns } = await resultOf(home, id)
    expect(card.runs).toMatchObject([{ outcome: 'interrupted', exitCode: null }])
    expect(card).toMatchObject({ consecutiveFailures: 0, status: 'ready' })
    expect(turns).toHaveLength(1)
  })

  test('a verdict of a later turn is not lost if the supervisor is killed', async () => {
    const home = makePlayerHome()
    const id = await createPlayerCard(home, [
      [],
      [
        ['say', 'block', { reason: 'which colour' }],
        ['write', 'said'],
        ['wait', 'never'],
      ],
    ])
    await home.dispatch()
    const { run, supervisor } = await home.liveRun(id)
    await home.until('it has sent its verdict', () => appeared(home.workspace(id, 'said')))
    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is dead', () => !isLiving(run))
    await home.dispatch()
    expect(await home.show(id)).toMatchObject({ status: 'blocked', blockReason: 'which colour' })
  })

  test('a verdict `block` that is missing in the store is read from the verdict file', async () => {
    const home = makePlayerHome()
    const id = await createPlayerCard(
      home,
      [
        [['say', 'complete']],
        [
          ['write', 'second'],
          ['wait', 'never'],
        ],
      ],
      '--check',
      'false',
    )
    await home.dispatch()
    const { run, supervisor, directory } = await home.liveRun(id)
    await home.until('the second turn works', () => appeared(home.workspace(id, 'second')))
    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is dead', () => !isLiving(run))
    const fence = { runId: run.id, tokenHash: run.tokenHash ?? '' }
    await writeVerdict(directory, fence, { kind: 'block', reason: 'which colour', blockKind: 'needs_input' })
    await home.dispatch()
    expect(await home.show(id)).toMatchObject({ status: 'blocked', blockReason: 'which colour' })
  })

  test('a person can end a later turn, and the time limit covers all turns', async () => {
    const home = makePlayerHome()
    const waits: Step[] = [
      ['write', 'second'],
      ['wait', 'never'],
    ]
    const id = await createPlayerCard(home, [[], waits])
    await home.dispatch()
    await home.until('the second turn works', () => appeared(home.workspace(id, 'second')))
    expect(await home.muster('block', id, 'not now')).toMatchObject({ code: 0 })
    expect(await home.show(id)).toMatchObject({ status: 'blocked', blockReason: 'not now' })

    const late = await runPlayer(home, [[], waits], '--max-runtime', '8s', '--max-retries', '1')
    expect(late.card.runs).toMatchObject([{ outcome: 'timed_out' }])
    expect(late.turns).toHaveLength(1)
  })

  test('a result file gives verdict and artifacts, and is moved away', async () => {
    const home = makePlayerHome()
    const said = { verdict: 'complete', summary: 'written down', metadata: { tests: 3 }, artifacts: ['out.txt'] }
    const { card, turns } = await runPlayer(
      home,
      [
        [
          ['write', 'out.txt', 'made'],
          ['write', 'RESULT.json', JSON.stringify(said)],
        ],
        [
          ['write', 'good'],
          ['write', 'RESULT.json', JSON.stringify({ ...said, summary: 'fixed' })],
        ],
      ],
      '--check',
      'test -f good && ! test -e RESULT.json',
    )
    expect(turns).toMatchObject([{ turn: 2, cause: 'checks_failed' }])
    expect(card).toMatchObject({ status: 'done', result: 'fixed', metadata: { tests: 3, artifacts: ['out.txt'] } })
    expect(card.attachments).toMatchObject([{ filename: 'out.txt', size: 4 }])
    expect(existsSync(join(card.runs[0]?.logPath ?? '', '..', 'result.json'))).toBe(true)
  })

  test('if the supervisor was killed, a result file counts only for the turn that wrote it', async () => {
    const home = makePlayerHome()
    const turns: Step[][] = [
      [['write', 'RESULT.json', '{"verdict": "maybe"}']],
      [
        ['write', 'second'],
        ['wait', 'go'],
      ],
    ]
    const asks = ['write', 'RESULT.json', '{"verdict": "block", "reason": "which colour"}'] as const
    const [told, mute] = [
      await createPlayerCard(home, [turns[0] ?? [], [...(turns[1] ?? []), asks]]),
      await createPlayerCard(home, turns),
    ]
    await home.dispatch()
    for (const id of [told, mute]) {
      const { run, supervisor, directory } = await home.liveRun(id)
      await home.until('the second turn works', () => appeared(home.workspace(id, 'second')))
      process.kill(supervisor, 'SIGKILL')
      await home.until('the supervisor is dead', () => !isLiving(run))
      writeFileSync(home.workspace(id, 'go'), '')
      await home.until('the agent has ended', () => appeared(directory.exit))
    }
    await home.runInline('hold', mute)
    await home.dispatch()
    expect(await home.show(told)).toMatchObject({ status: 'blocked', blockReason: 'which colour' })
    expect([existsSync(home.workspace(told, 'RESULT.json')), existsSync(home.workspace(mute, 'RESULT.json'))]).toEqual([
      false,
      true,
    ])
    expect((await home.show(mute)).runs).toMatchObject([{ outcome: 'interrupted', exitCode: 0 }])
  })

  test('an invalid result file is ignored, and the agent sees why', async () => {
    const { card, told, log } = await runPlayer(makePlayerHome(), [
      [['write', 'RESULT.json', '{"verdict": "maybe"}']],
      [['write', 'RESULT.json', '{"verdict": "block", "reason": 7}']],
      [['write', 'RESULT.json', '{"verdict": "block", "reason": "which colour"}']],
    ])
    expect(told[1]).toContain('RESULT.json is not a verdict: its verdict must be one of complete, block')
    expect(told[2]).toMatch(/RESULT\.json is not a verdict: .*reason/)
    expect(log).toContain('# muster: RESULT.json is not a valid verdict: its verdict must be one of')
    expect(card).toMatchObject({ status: 'blocked', blockReason: 'which colour' })
  })

  test('a result file from before the run is ignored', async () => {
    const home = makePlayerHome()
    const folder = aside()
    const file = join(folder, 'RESULT.json')
    const id = await createPlayerCard(
      home,
      [
        [
          ['wait', 'RESULT.json'],
          ['exit', 0],
        ],
      ],
      '--workspace',
      `dir:${folder}`,
    )
    writeFileSync(file, '{"verdict": "complete"}')
    await home.dispatch('--wait')
    expect((await home.show(id)).runs).toMatchObject([{ outcome: 'protocol_violation' }])
    expect(readFileSync(file, 'utf8')).toBe('{"verdict": "complete"}')

    const script = 'echo \'{"verdict": "block", "reason": "no"}\' >RESULT.json'
    const { id: plain } = await home.create('plain', '--assignee', 'shell', '--body', script)
    await home.dispatch('--wait')
    expect(await home.show(plain)).toMatchObject({ status: 'done' })
  })
})
