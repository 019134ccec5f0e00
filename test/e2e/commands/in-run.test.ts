// Tests the command line inside a run, which sends requests to the supervisor and may act only for its own run.
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TaskId } from '../../../src/core/ids.ts'
import { taskDetails, taskView } from '../../../src/operations/shared/views.ts'
import { BIN, isLiving, makeTestHome } from '../../helpers/cli.ts'
import type { TestHome } from '../../helpers/cli.ts'
import { SURFACE_ENGINES } from '../../helpers/stores.ts'

/**
 * Makes a shell script with two functions: `m` runs muster, and `code` saves the exit code and the output of a command.
 */
const script = (...lines: string[]): string =>
  [
    `m() { "${process.execPath}" "${BIN}" "$@"; }`,
    'code() { name=$1; shift; "$@" >"$name.out" 2>"$name.err"; echo $? >"$name.code"; }',
    ...lines,
  ].join('\n')

/** Creates a shell card and waits until its run has ended. */
async function ranCard(home: TestHome, ...lines: string[]) {
  const card = await home.create('speaks', '--assignee', 'shell', '--max-retries', '1', '--body', script(...lines))
  await home.dispatch('--wait')
  return home.show(card.id)
}

const readerOf = (home: TestHome, id: TaskId) => {
  const read = (file: string): string => readFileSync(home.workspace(id, file), 'utf8').trim()
  return {
    read,
    json: (file: string): unknown => JSON.parse(read(file)),
    said: (name: string) => ({
      code: Number(read(`${name}.code`)),
      stdout: read(`${name}.out`),
      stderr: read(`${name}.err`),
    }),
  }
}

describe.each(SURFACE_ENGINES)('inside a run (%s)', (engine) => {
  test('a run can create cards, list, comment and block its own card', async () => {
    const home = makeTestHome(engine)
    const shown = await ranCard(
      home,
      'm create "a child" --assignee shell --body "touch started" --json >child.json',
      'm list --json >list.json',
      'code elsewhere m list --board nowhere',
      'm show "$MUSTER_TASK" --json >own.json',
      'code comment m comment "$MUSTER_TASK" looked around',
      'code beat m heartbeat "$MUSTER_TASK" --note "half way"',
      'code block m block "$MUSTER_TASK" which colour',
      'm show "$MUSTER_TASK" --json >still.json',
    )
    const { id } = shown
    const { json, said } = readerOf(home, id)
    const [run] = shown.runs
    expect(shown).toMatchObject({ status: 'blocked', blockReason: 'which colour', blockedBy: 'agent:shell' })
    expect(shown.runs).toMatchObject([{ outcome: 'blocked', summary: 'which colour', exitCode: 0, note: 'half way' }])
    expect(shown.comments).toMatchObject([{ author: 'agent:shell', runId: run?.id, body: 'looked around' }])
    expect(shown.events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['heartbeat', 'verdict_recorded']))

    expect(said('comment')).toMatchObject({ code: 0, stdout: expect.stringContaining(`Commented on ${id}`) })
    expect(said('elsewhere')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Inside a run, commands use the board of the run (default)'),
    })
    expect(said('beat')).toMatchObject({ code: 0, stderr: '' })
    expect(said('block')).toEqual({
      code: 0,
      stdout: `Recorded block for ${id}: the card is settled when this run ends.`,
      stderr: '',
    })
    expect(taskDetails.parse(json('own.json'))).toMatchObject({ id, status: 'running' })
    expect(taskDetails.parse(json('still.json'))).toMatchObject({ status: 'running', blockReason: null })

    const child = taskView.parse(json('child.json'))
    expect(child).toMatchObject({ board: 'default', createdBy: 'agent:shell', createdByRun: run?.id })
    expect(json('list.json')).toMatchObject([{ id }, { id: child.id }])

    // A script written by an agent runs only after a person has approved it.
    expect((await home.dispatch('--wait')).started).toEqual([])
    expect(await home.muster('approve', child.id, '--commands')).toMatchObject({ code: 0 })
    expect((await home.dispatch('--wait')).started).toMatchObject([{ id: child.id }])
  })
})

// These tests do not depend on the engine.
describe('inside a run', () => {
  test('a card whose script reports `complete` is done although the script exits with 3', async () => {
    const home = makeTestHome('sqlite')
    const shown = await ranCard(
      home,
      'echo 3 passed >report.txt; echo more >notes.txt',
      'code attach m attach "$MUSTER_TASK" notes.txt',
      'code text m complete "$MUSTER_TASK" --summary "first try"',
      'code json m complete "$MUSTER_TASK" --summary "all green" --metadata \'{"tests":3}\' --artifact report.txt --json',
      'code again m request-review "$MUSTER_TASK"',
      'exit 3',
    )
    const { read, said } = readerOf(home, shown.id)
    expect(shown).toMatchObject({
      status: 'done',
      result: 'all green',
      metadata: { tests: 3, artifacts: ['report.txt'] },
    })
    expect(said('attach')).toMatchObject({ code: 0, stdout: expect.stringContaining('Attached notes.txt') })
    expect(shown.attachments).toMatchObject([
      { filename: 'notes.txt', uploadedBy: 'agent:shell' },
      { filename: 'report.txt', uploadedBy: 'agent:shell', runId: shown.runs[0]?.id },
    ])
    expect(shown.runs).toMatchObject([{ outcome: 'completed', summary: 'all green', exitCode: 3 }])
    expect(said('text')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Recorded complete for t_\w+: /) })
    const answers = JSON.parse(read('json.out')) as { task: { recorded: string } }[]
    expect(answers).toMatchObject([{ id: shown.id, ok: true, task: { status: 'running' } }])
    expect(answers[0]?.task.recorded).toContain('when this run ends')
    expect(said('again')).toMatchObject({ code: 4, stderr: expect.stringContaining('end your turn') })
  })

  test('a run cannot change other cards or the machine', async () => {
    const home = makeTestHome('sqlite')
    const other = await home.create('not yours')
    const shown = await ranCard(
      home,
      `code foreign m complete ${other.id} --summary mine --json`,
      `code comment m comment ${other.id} but this is allowed`,
      'code init m init',
      'code dispatch m dispatch --json',
      'code usage m list --nope',
      // An agent that the agent starts inherits the run id, but not the nonce.
      `nested() { env -u MUSTER_NONCE "${process.execPath}" "${BIN}" "$@"; }`,
      'code nested nested complete "$MUSTER_TASK" --summary stolen --json',
      'MUSTER_NONCE=guessed code guessed m block "$MUSTER_TASK" stolen',
      'MUSTER_SOCKET=/nowhere/s code lost m show "$MUSTER_TASK"',
      'echo honest work',
    )
    const { said } = readerOf(home, shown.id)
    expect(said('foreign')).toMatchObject({ code: 1 })
    expect(JSON.parse(said('foreign').stdout)).toMatchObject([{ ok: false, error: { code: 'not_allowed' } }])
    expect(said('comment')).toMatchObject({ code: 0 })
    expect(said('init')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Not available inside run'),
    })
    expect(JSON.parse(said('dispatch').stderr)).toMatchObject({ error: { code: 'not_allowed' } })
    expect(said('usage')).toMatchObject({ code: 2 })
    expect(said('nested')).toMatchObject({ code: 4, stdout: '' })
    expect(JSON.parse(said('nested').stderr)).toMatchObject({ error: { code: 'run_over' } })
    for (const name of ['guessed', 'lost']) expect(said(name)).toMatchObject({ code: 4, stdout: '' })

    expect(shown).toMatchObject({ status: 'done', result: 'honest work' })
    expect(shown.events.map(({ kind }) => kind)).not.toContain('verdict_recorded')
    expect(await home.show(other.id)).toMatchObject({ status: 'ready', comments: [{ author: 'agent:shell' }] })
  })

  test('the environment of an ended run gives no access', async () => {
    const home = makeTestHome('sqlite')
    const shown = await ranCard(home, 'env | grep ^MUSTER_ >kept')
    const kept = Object.fromEntries(
      readerOf(home, shown.id)
        .read('kept')
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
    expect(Object.keys(kept)).toEqual(expect.arrayContaining(['MUSTER_RUN', 'MUSTER_SOCKET', 'MUSTER_NONCE']))
    expect(Object.keys(kept)).not.toContain('MUSTER_STORE')
    expect(existsSync(String(kept['MUSTER_SOCKET']))).toBe(false)
    expect(JSON.stringify(await (await home.store()).exportAll())).not.toContain(kept['MUSTER_NONCE'])

    const run = String(kept['MUSTER_RUN'])
    const refused = async (args: readonly string[], sentence: string): Promise<void> =>
      expect(await home.start(args, { env: kept }).ended).toMatchObject({
        code: 4,
        stdout: '',
        stderr: expect.stringContaining(sentence),
      })
    for (const args of [
      ['block', shown.id, 'late'],
      ['comment', shown.id, 'late'],
      ['create', 'late'],
    ])
      await refused(args, `Run ${run} is over: stop working on it. Nothing was changed;`)
    await refused(['list'], `Run ${run} does not accept this request`)
    const after = await home.show(shown.id)
    expect(after).toEqual(shown)
  })

  test('a socket path that is too long is replaced by a shorter one', async () => {
    const home = makeTestHome('sqlite')
    const deep = join(home.home, 'd'.repeat(60), 'e'.repeat(60))
    mkdirSync(deep, { recursive: true, mode: 0o700 })
    home.env['MUSTER_STORE'] ??= join(home.home, 'muster.db')
    home.env['MUSTER_HOME'] = deep
    const shown = await ranCard(home, 'm complete "$MUSTER_TASK" --summary "from afar"')
    expect(shown).toMatchObject({ status: 'done', result: 'from afar' })
    const path = shown.runs[0]?.socketPath ?? ''
    expect(Buffer.byteLength(path)).toBeLessThanOrEqual(100)
    expect(path.startsWith(deep)).toBe(false)
    expect(existsSync(dirname(path))).toBe(false)
    expect(readdirSync(join(deep, 'runs', shown.runs[0]?.id ?? ''))).not.toContain('s')

    // A killed supervisor cannot remove the folder. The dispatcher removes the folder when it settles the run.
    const lost = await home.create('lost', '--assignee', 'shell', '--body', 'sleep 600')
    await home.dispatch()
    const { run, supervisor } = await home.liveRun(lost.id)
    const left = run.socketPath ?? ''
    await home.until('it listens', () => existsSync(left))
    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is dead', () => !isLiving(run))
    expect(existsSync(left)).toBe(true)
    expect((await home.dispatch()).interrupted).toMatchObject([{ id: lost.id }])
    expect(existsSync(dirname(left))).toBe(false)
  })
})
