// Tests the checks before a card is done: after a script, after a verdict of a worker, and after a command of a person.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { checkTask } from '../../src/operations/reviews/check-task.ts'
import { BIN, appeared, isLiving, makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { isGone } from '../helpers/run-cards.ts'
import { SURFACE_ENGINES } from '../helpers/stores.ts'

const { output: checkOutput } = await checkTask.schemas()

const checks = (...lines: string[]): string[] => lines.flatMap((line) => ['--check', line])

const SLOW = 'echo $$ >pid; sleep 600'

/** Creates a card for the shell and runs it once. */
async function runCheckedCard(home: TestHome, body: string, ...flags: string[]) {
  const { id } = await home.create('checked', '--assignee', 'shell', '--max-retries', '1', '--body', body, ...flags)
  await home.dispatch('--wait')
  return home.show(id)
}

const kindsOf = (shown: { readonly events: readonly { readonly kind: string }[] }): string[] =>
  shown.events.map(({ kind }) => kind)

const answerOf = async (home: TestHome, ...args: string[]) => {
  const { code, stdout, stderr } = await home.muster(...args, '--json')
  const rows = JSON.parse(stdout || 'null') as
    [{ ok: boolean; error?: { code: string; details: { output: string } } }] | null
  return { code, stderr, row: rows?.[0] ?? null }
}

describe.each(SURFACE_ENGINES)('checks (%s)', (engine) => {
  test('a check added after the others passed runs before the card is done', async () => {
    const home = makeTestHome(engine)
    const passed = join(home.home, 'passed')
    const go = join(home.home, 'go')
    const body = [
      `"${process.execPath}" "${BIN}" complete "$MUSTER_TASK" --summary finished && touch "${passed}"`,
      `while [ ! -f "${go}" ]; do sleep 0.05; done`,
    ].join('\n')
    const flags = ['--assignee', 'shell', '--max-retries', '1', '--body', body, ...checks('true')]
    const { id } = await home.create('checked', ...flags)
    await home.dispatch()
    await home.until('its checks passed', () => appeared(passed))
    await home.runInline('edit', id, ...checks('true', 'echo too early; false'))
    writeFileSync(go, '')
    await home.until('it ended', async () => (await home.show(id)).status !== 'running')
    const shown = await home.show(id)
    expect([shown.status, shown.runs[0]?.outcome]).toEqual(['blocked', 'checks_failed'])
    expect(shown.lastError).toContain('too early')
  })

  test('a worker sees the output of failing checks and continues until they pass', async () => {
    const home = makeTestHome(engine)
    // These files are outside the workspace, because a changed workspace would change the result of the checks.
    const talk = (name: string): string => join(home.home, `talk-${name}`)
    const shown = await runCheckedCard(
      home,
      [
        `m() { "${process.execPath}" "${BIN}" "$@"; echo $? >>"${talk('codes')}"; }`,
        `m complete "$MUSTER_TASK" --summary early >"${talk('one')}" 2>&1`,
        `m complete "$MUSTER_TASK" --summary "no change" --json >"${talk('two')}"`,
        'touch good',
        `m complete "$MUSTER_TASK" --summary late >"${talk('three')}" 2>&1`,
      ].join('\n'),
      ...checks('echo looking; test -f good'),
    )
    const said = (name: string): string => readFileSync(talk(name), 'utf8')
    expect(said('codes')).toBe('1\n1\n0\n')
    expect(said('one')).toContain('2 tries are left')
    expect(said('one')).toContain('  looking\n')
    // The same verdict uses no try if the content is unchanged.
    expect(JSON.parse(said('two'))).toMatchObject([
      {
        ok: false,
        error: { code: 'checks_failed', details: { triesLeft: 2, output: expect.stringContaining('looking') } },
      },
    ])
    expect(said('three')).toContain('its checks passed')
    expect(shown).toMatchObject({ status: 'done', result: 'late' })
    expect(kindsOf(shown).filter((kind) => kind === 'verdict_withdrawn')).toHaveLength(2)
    expect(kindsOf(shown).filter((kind) => kind === 'checks_passed')).toHaveLength(1)
  })

  test("a person's `complete` whose checks fail leaves the card unchanged", async () => {
    const home = makeTestHome(engine)
    const { id } = await home.create('by hand', ...checks('echo looked; test -f good', 'echo $$ >count'))
    await home.runInline('block', id, 'which one')
    const refused = await home.muster('complete', id, '--summary', 'did it')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain(`Card ${id} was not completed: check failed: echo looked; test -f good (exit 1)`)
    expect(refused.stderr).toContain('  looked')
    const after = await home.show(id)
    expect(after).toMatchObject({
      status: 'blocked',
      blockReason: 'which one',
      consecutiveFailures: 0,
      currentRunId: null,
    })
    expect(after.runs.at(-1)).toMatchObject({ phase: 'check', outcome: 'checks_failed', agent: null })
    expect(await answerOf(home, 'complete', id)).toMatchObject({
      code: 1,
      row: { ok: false, error: { code: 'checks_failed', details: { output: expect.stringContaining('looked') } } },
    })

    writeFileSync(home.workspace(id, 'good'), '')
    expect(await home.muster('complete', id, '--summary', 'did it')).toMatchObject({
      code: 0,
      stdout: `Completed ${id}\n`,
    })
    expect(await home.show(id)).toMatchObject({ status: 'done', result: 'did it' })
  })
})

// These tests do not depend on the engine.
describe('checks', () => {
  test('a card whose script exits 0 is done when its checks pass', async () => {
    const home = makeTestHome('sqlite')
    const shown = await runCheckedCard(
      home,
      'echo \'{"n": 3}\' >out.json; echo all built',
      ...checks('test -s out.json', 'file:*.json', 'json:out.json', 'test -z "$MUSTER_NONCE"'),
    )
    expect(shown).toMatchObject({ status: 'done', result: 'all built' })
    expect(shown.runs).toMatchObject([{ outcome: 'completed', exitCode: 0, checks: { tries: 0 } }])
    expect(kindsOf(shown)).toEqual(expect.arrayContaining(['checks_passed', 'completed']))
  })

  test('a check that fails, never ends, floods the output or leaves a process reports the reason', async () => {
    const home = makeTestHome('sqlite')
    await home.create('first', '--triage') // The first command creates the store.
    await home.setBoard({ checkTimeoutMs: 6_000 })
    const flood = 'i=0; while [ $i -lt 9000 ]; do echo "flood $i"; i=$((i+1)); done; exit 4'
    const shown = await runCheckedCard(
      home,
      'echo work',
      ...checks(
        'echo no good; exit 3',
        'trap "" TERM; echo $$ >slow.pid; while :; do sleep 1; done',
        flood,
        'file:*.md',
      ),
    )
    expect(shown).toMatchObject({ status: 'blocked', blockKind: 'breaker', consecutiveFailures: 1 })
    const [run] = shown.runs
    expect(run).toMatchObject({ outcome: 'checks_failed', exitCode: 0 })
    expect(run?.error).toBe('check failed: echo no good; exit 3 (exit 3), and 3 more: no good')
    expect(shown.lastError).toBe(run?.error)
    const output = run?.checks?.output ?? ''
    expect(output).toContain('(took longer than 6 s)')
    expect(output).toMatch(/left out …\][^]*flood 8999/)
    expect(output).toContain('(no file matches *.md)')
    expect(output.length).toBeLessThan(25_000)
    expect(isGone(Number(readFileSync(home.workspace(shown.id, 'slow.pid'), 'utf8')))).toBe(true)
  })

  test('files changed after the checks passed make the checks run again', async () => {
    const home = makeTestHome('sqlite')
    const complete = `"${process.execPath}" "${BIN}" complete "$MUSTER_TASK" --summary done`
    const shown = await runCheckedCard(home, `touch good; ${complete}; rm good`, ...checks('test -f good'))
    expect(shown).toMatchObject({ status: 'blocked', lastError: expect.stringContaining('check failed: test -f good') })
    expect(kindsOf(shown)).toEqual(
      expect.arrayContaining(['checks_passed', 'verdict_withdrawn', 'checks_failed', 'gave_up']),
    )
  })

  test('checks that still run when the agent exits continue to the end', async () => {
    const home = makeTestHome('sqlite')
    const beside = (name: string): string => join(home.home, `beside-${name}`)
    const shown = await runCheckedCard(
      home,
      [
        `"${process.execPath}" "${BIN}" complete "$MUSTER_TASK" --summary said &`,
        `while ! test -f "${beside('begun')}"; do sleep 0.2; done`,
      ].join('\n'),
      ...checks(`echo x >>"${beside('begun')}"; sleep 1; touch "${beside('over')}"`),
    )
    expect(shown).toMatchObject({ status: 'done', result: 'said' })
    expect(readFileSync(beside('begun'), 'utf8')).toBe('x\n')
    expect(existsSync(beside('over'))).toBe(true)
  })

  test('a `block` from a person or a worker ends the checks that still run', async () => {
    const home = makeTestHome('sqlite')
    const { id } = await home.create('blocked', '--assignee', 'shell', '--body', 'true', ...checks(SLOW))
    await home.setBoard({ checkTries: 1 })
    await home.dispatch()
    const pid = await home.until('it checks', () => readPid(home, id))
    expect(await home.muster('block', id, 'wait for Friday')).toMatchObject({ code: 0 })
    expect(await home.show(id)).toMatchObject({ status: 'blocked', blockReason: 'wait for Friday' })
    expect(isGone(pid)).toBe(true)

    const m = `"${process.execPath}" "${BIN}"`
    const spent = await runCheckedCard(
      home,
      [
        `${m} complete "$MUSTER_TASK" 2>"${join(home.home, 'first')}"`,
        `touch more; ${m} complete "$MUSTER_TASK" --json >"${join(home.home, 'second')}"`,
        `${m} block "$MUSTER_TASK" need help`,
      ].join('\n'),
      ...checks('false'),
    )
    expect(readFileSync(join(home.home, 'first'), 'utf8')).toContain('No tries are left')
    expect(JSON.parse(readFileSync(join(home.home, 'second'), 'utf8'))).toMatchObject([
      { ok: false, error: { code: 'checks_required' } },
    ])
    expect(spent).toMatchObject({ status: 'blocked', blockReason: 'need help', consecutiveFailures: 0 })
  })

  test('a person can skip the checks with a reason, or not wait for their result', async () => {
    const home = makeTestHome('sqlite')
    home.env['MUSTER_INTENT_WAIT_MS'] = '300'
    const forced = await home.create('forced', ...checks('false'))
    expect(await home.muster('complete', forced.id, '--force', '--reason', 'seen it')).toMatchObject({ code: 0 })
    const done = await home.show(forced.id)
    expect(done.events.find(({ kind }) => kind === 'completed')?.data).toMatchObject({ forced: 'seen it' })

    const slow = await home.create('slow', ...checks('while ! test -f go; do sleep 0.2; done'))
    const waiting = await home.muster('complete', slow.id, '--summary', 'soon')
    expect(waiting).toMatchObject({ code: 75, stderr: expect.stringContaining('still running') })
    await home.until('the check has a folder', () => appeared(home.workspace(slow.id, '.')))
    writeFileSync(home.workspace(slow.id, 'go'), '')
    await home.until('it is done', async () => (await home.show(slow.id)).status === 'done')
  })

  test("a person's `complete` ends the agent before the checks run", async () => {
    const home = makeTestHome('sqlite')
    const body = 'touch begun; sleep 600'
    const good = await home.create('good', '--assignee', 'shell', '--body', body, ...checks('test -f begun'))
    const bad = await home.create('bad', '--assignee', 'shell', '--body', body, ...checks('test -f never'))
    await home.dispatch()
    for (const { id } of [good, bad]) await home.until('it works', () => appeared(home.workspace(id, 'begun')))
    expect(await home.muster('complete', good.id, '--summary', 'enough')).toMatchObject({ code: 0 })
    expect(await home.show(good.id)).toMatchObject({ status: 'done', result: 'enough' })
    expect(await answerOf(home, 'complete', bad.id)).toMatchObject({
      code: 1,
      row: { error: { code: 'checks_failed' } },
    })
    expect(await home.show(bad.id)).toMatchObject({ status: 'ready', consecutiveFailures: 0 })
  })

  test('a check whose supervisor is killed leaves the card unchanged', async () => {
    const home = makeTestHome('sqlite')
    home.env['MUSTER_INTENT_WAIT_MS'] = '1'
    const { id } = await home.create('lost', ...checks(SLOW))
    await home.runInline('request-review', id)
    expect(await home.muster('approve', id)).toMatchObject({ code: 75 })
    const { run, supervisor } = await home.liveRun(id)
    const pid = await home.until('it checks', () => readPid(home, id))
    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is dead', () => !isLiving(run))
    await home.until('its check is dead', () => isGone(pid))
    await home.dispatch()
    expect(await home.show(id)).toMatchObject({ status: 'review', runs: [{ phase: 'check', outcome: 'interrupted' }] })
    expect(isGone(pid)).toBe(true)
  })

  test('a supervisor killed during its checks does not count as a failure', async () => {
    const home = makeTestHome('sqlite')
    const { id } = await home.create('lost', '--assignee', 'shell', '--body', 'true', ...checks(SLOW))
    await home.dispatch()
    const { run, supervisor } = await home.liveRun(id)
    const pid = await home.until('it checks', () => readPid(home, id))
    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is dead', () => !isLiving(run))
    await home.runInline('hold', id)
    await home.dispatch()
    const shown = await home.show(id)
    expect(shown.runs).toMatchObject([{ outcome: 'interrupted' }])
    expect(shown.consecutiveFailures).toBe(0)
    expect(isGone(pid)).toBe(true)
  })

  test('`muster check` leaves the card unchanged and refuses unapproved commands', async () => {
    const home = makeTestHome('sqlite')
    const shown = await runCheckedCard(home, 'touch good', ...checks('test -f good; echo yes'))
    const before = await home.show(shown.id)
    const passed = await home.muster('check', shown.id)
    expect(passed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok {6}test -f good; echo yes {2}\d/) })
    await home.runInline('edit', shown.id, '--check', 'echo bad; exit 5', '--check', 'file:good')
    const failed = await home.muster('check', shown.id, '--json')
    expect(failed.code).toBe(1)
    expect(checkOutput.parse(JSON.parse(failed.stdout))).toMatchObject([
      { check: 'echo bad; exit 5', ok: false, exitCode: 5, output: 'bad\n' },
      { check: 'file:good', ok: true },
    ])
    expect(await home.show(shown.id)).toMatchObject({ status: 'done', runs: before.runs })

    const made = await runCheckedCard(
      home,
      `"${process.execPath}" "${BIN}" create child --assignee shell --body true --check "touch $MUSTER_WORKSPACE/ran" --json`,
    )
    const child = (await home.show(made.id)).events.length > 0 ? await onlyChild(home, made.id) : null
    for (const verb of ['check', 'complete']) {
      const answer = await home.muster(verb, String(child))
      expect(answer.code).toBe(1)
      expect(answer.stderr).toContain('An agent wrote the checks of')
    }
    expect(existsSync(home.workspace(made.id, 'ran'))).toBe(false)
  })
})

test('the checks of two cards never run at once in one workspace', async () => {
  const home = makeTestHome('sqlite')
  const folder = mkdtempSync(join(tmpdir(), 'muster-shared-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const alone = 'mkdir busy && sleep 0.4 && rmdir busy'
  const shared = ['--workspace', `dir:${folder}`, ...checks(alone)]
  const looked = await home.create('looked at', ...shared)
  await home.setBoard({ sharedDirectories: true })
  const worked = []
  for (const title of ['one', 'two', 'three'])
    worked.push(await home.create(title, '--assignee', 'shell', '--body', 'true', ...shared))
  const answers = await Promise.all([
    home.muster('dispatch', '--wait'),
    home.muster('check', looked.id),
    home.muster('check', looked.id),
    home.muster('complete', looked.id),
  ])
  expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  for (const { id } of [...worked, looked]) expect(await home.show(id)).toMatchObject({ status: 'done' })

  const slow = await home.create('slow', '--workspace', `dir:${folder}`, ...checks('echo $$ >pid; sleep 600'))
  const { child, ended } = home.start(['check', slow.id])
  const pid = await home.until('it checks', () => pidIn(join(folder, 'pid')))
  child.kill('SIGKILL')
  await ended
  await home.until('its check is dead', () => isGone(pid))
  expect(await home.muster('check', looked.id)).toMatchObject({ code: 0 })
})

/** Returns the card that a run created. */
async function onlyChild(home: TestHome, maker: TaskId): Promise<TaskId> {
  const { stdout } = await home.runInline('list', '--json')
  const cards = JSON.parse(stdout) as { id: TaskId; createdBy: string }[]
  const found = cards.find(({ id, createdBy }) => id !== maker && createdBy.startsWith('agent:'))
  if (found === undefined) throw new Error('no card was made')
  return found.id
}

const readPid = (home: TestHome, id: TaskId): number | null => pidIn(home.workspace(id, 'pid'))

function pidIn(path: string): number | null {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return text.endsWith('\n') ? Number(text) : null
}
