// Tests reviews with real processes: workers, reviewers and people. The scenarios are in
// docs/contributing/scenarios.md.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import type { ReasonValue } from '../../src/cli/render/reasons.ts'
import { gatherStats } from '../../src/operations/boards/gather-stats.ts'
import { BIN } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { SURFACE_ENGINES } from '../helpers/stores.ts'
import type { Engine } from '../helpers/stores.ts'
import { WAITS, finish, openHome, startUp, untilBegun, untilStatus, writeAgent } from '../helpers/run-cards.ts'

const { output: statsOutput } = await gatherStats.schemas()

const MUSTER = `"${process.execPath}" "${BIN}"`
const ASKS = `${MUSTER} request-review "$MUSTER_TASK" --summary`

/**
 * The worker writes a line, and the reviewer asks for a second line. Both run this script, and the phase shows which of
 * the two runs it.
 */
const TWO_LINES = `
echo "$MUSTER_PHASE $MUSTER_AGENT" >>who
if [ "$MUSTER_PHASE" = work ]; then
  echo line >>work
  ${ASKS} "$(cat work | wc -l | tr -d ' ') lines" --metadata '{"tests": 3}'
elif [ "$(cat work | wc -l)" -lt 2 ]; then
  ${MUSTER} request-changes "$MUSTER_TASK" one line is not enough
else
  ${MUSTER} complete "$MUSTER_TASK" --summary 'reads well'
fi`

const why = async (home: TestHome, id: TaskId) =>
  (JSON.parse((await home.muster('why', id, '--json')).stdout) as { reasons: readonly ReasonValue[] }).reasons

/** Creates a card whose worker has requested a review, so its next run is a review. */
async function handedOver(home: TestHome, ...flags: string[]): Promise<TaskId> {
  const body = `[ "$MUSTER_PHASE" = review ] && exit 7; echo made >work; ${ASKS} 'it is made'`
  const { id } = await home.create('made', '--assignee', 'author', '--body', body, ...flags)
  await home.dispatch('--wait')
  expect(await home.show(id)).toMatchObject({ status: 'review', assignee: 'author', result: 'it is made' })
  return id
}

async function reviewHome(engine: Engine): Promise<TestHome> {
  const home = await openHome(engine)
  writeAgent(home, 'author', 'harness: shell')
  writeAgent(home, 'critic', 'harness: shell')
  return home
}

describe.each(SURFACE_ENGINES)('review (%s)', (engine) => {
  test('a card with a reviewer is reviewed even if its script exits 0', async () => {
    const home = await reviewHome(engine)
    const body = '[ "$MUSTER_PHASE" = review ] || echo made >work'
    const { id } = await home.create('made', '--assignee', 'author', '--reviewer', 'critic', '--body', body)
    await home.dispatch('--wait')
    expect(await home.show(id)).toMatchObject({ status: 'review', runs: [{ outcome: 'review_requested' }] })
    await home.dispatch('--wait')
    expect(await home.show(id)).toMatchObject({
      status: 'done',
      runs: [{ agent: 'author' }, { agent: 'critic', phase: 'review', outcome: 'completed' }],
    })
  })

  test('a rejected card is reworked and approved in one workspace (scenario 72)', async () => {
    const home = await reviewHome(engine)
    const { id } = await home.create('two lines', '--assignee', 'author', '--reviewer', 'critic', '--body', TWO_LINES)
    const child = await home.create('after', '--parent', id)
    const toldNow = async (): Promise<string> => (await home.muster('context', id)).stdout
    const passes = [await home.dispatch('--wait'), await home.dispatch('--wait')]
    expect(await home.show(id)).toMatchObject({ status: 'ready', assignee: 'author', consecutiveFailures: 0 })
    expect(await toldNow()).toMatch(/## Changes were requested[^#]*one line is not enough/)
    passes.push(await home.dispatch('--wait'))
    const forReviewer = await toldNow()
    expect(forReviewer).toMatch(/^# Review of card/)
    expect(forReviewer).toMatch(/## Work to review[^#]*2 lines[^#]*"tests":3/)
    expect(forReviewer).not.toContain('## Changes were requested')
    passes.push(await home.dispatch('--wait'))
    expect(passes.map(({ started }) => started.map(({ agent, phase }) => [agent, phase]))).toEqual([
      [['author', 'work']],
      [['critic', 'review']],
      [['author', 'work']],
      [['critic', 'review']],
    ])
    expect(passes.map(({ settled }) => settled.map(({ phase, status }) => [phase, status]))).toEqual([
      [['work', 'review']],
      [['review', 'ready']],
      [['work', 'review']],
      [['review', 'done']],
    ])
    expect(readFileSync(home.workspace(id, 'who'), 'utf8')).toBe(
      'work author\nreview critic\nwork author\nreview critic\n',
    )
    const shown = await home.show(id)
    // The result of the card is the worker's summary; the approval is stored separately.
    expect(shown).toMatchObject({ status: 'done', assignee: 'author', result: '2 lines', metadata: { tests: 3 } })
    expect(shown.runs.map(({ outcome }) => outcome)).toEqual([
      'review_requested',
      'changes_requested',
      'review_requested',
      'completed',
    ])
    expect(shown.events.find(({ kind }) => kind === 'approved')?.data).toEqual({
      reviewer: 'agent:critic',
      summary: 'reads well',
      waitedMs: expect.any(Number),
    })
    expect((await home.muster('context', child.id)).stdout).toMatch(/Parents' results[^#]*###[^#]*2 lines/)
    const { review } = statsOutput.parse(JSON.parse((await home.muster('stats', '--json')).stdout))
    expect(review).toMatchObject({ approved: 1, changesRequested: 1, oldestMs: null, medianMs: expect.any(Number) })
    expect((await home.muster('runs', id)).stdout).toContain('completed (review)')
    // A verdict by a person has no log, so `log` shows the log of the agent.
    await home.muster('reopen', id)
    await home.muster('request-review', id, '--summary', 'by hand')
    expect(await home.muster('log', id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Recorded complete'),
    })
  })
})

// These tests do not depend on the engine.
describe('reviewers', () => {
  test('a crashing reviewer leaves the card in review until the limit (scenario 71)', async () => {
    const home = await reviewHome('sqlite')
    await home.setBoard({ retryBaseMs: 0, retryMaxMs: 0 })
    const id = await handedOver(home, '--reviewer', 'critic')
    const { settled, crashed } = await home.dispatch('--wait')
    expect(settled).toMatchObject([{ id, phase: 'review', outcome: 'crashed', status: 'review' }])
    expect(crashed).toEqual([id])
    expect(await home.show(id)).toMatchObject({ status: 'review', reviewFailures: 1, consecutiveFailures: 0 })
    const again = await home.dispatch('--wait')
    expect(again.settled).toMatchObject([{ outcome: 'crashed', status: 'review' }])
    expect(again.awaitingReview).toEqual([id])
    expect(await home.show(id)).toMatchObject({ status: 'review', reviewFailures: 2, blockKind: null })
    expect((await home.dispatch('--wait')).started).toEqual([])
    const [reason] = await why(home, id)
    expect(reason).toMatchObject({ gate: 'reviewer', clearedBy: expect.stringContaining(`muster approve ${id}`) })
    expect(reason?.message).toBe('The card waits for a review by a person: the reviewer critic failed 2 times.')

    // A new reviewer begins with a failure count of zero. This reviewer approves by its exit code.
    writeAgent(home, 'judge', 'harness: command\nargs: [/bin/sh, -c, "cat >told; grep -q made work && echo fine"]')
    await home.muster('edit', id, '--reviewer', 'judge')
    expect((await home.dispatch('--wait')).started).toMatchObject([{ agent: 'judge', phase: 'review' }])
    expect(await home.show(id)).toMatchObject({ status: 'done', result: 'it is made' })
    expect(readFileSync(home.workspace(id, 'told'), 'utf8')).toContain(
      'Exit status 0 without a verdict approves it too',
    )
  })

  test('cards in review are reported when every slot is taken (scenario 46)', async () => {
    const home = await reviewHome('sqlite')
    home.env['MUSTER_MACHINE_CAP'] = '1'
    const forAgent = await handedOver(home, '--reviewer', 'critic')
    const forPerson = await home.create('look at it', '--assignee', 'author', '--body', 'true')
    await home.muster('request-review', forPerson.id)
    const full = await home.create('full', '--assignee', 'author', '--priority', '1000', '--body', WAITS)
    await home.dispatch('--max', '1')
    await untilBegun(home, full.id)
    for (const flags of [['--dry-run'], []]) {
      const report = await home.dispatch(...flags)
      expect(report.started).toEqual([])
      expect(report.capped).toEqual([
        { id: forAgent, agent: 'critic', phase: 'review', cap: 'machine', used: 1, limit: 1 },
      ])
      expect(report.awaitingReview).toEqual([forPerson.id])
    }
    const { stdout } = await home.muster('dispatch')
    expect(stdout).toContain(`in review    ${forPerson.id}  a person must review the card`)
    finish(home, full.id)
    await untilStatus(home, full.id, 'done')
    expect((await home.dispatch('--dry-run')).started).toMatchObject([
      { id: forAgent, agent: 'critic', phase: 'review' },
    ])
  })

  test("a board's reviewer reviews only the work of other agents", async () => {
    const home = await reviewHome('sqlite')
    mkdirSync(join(home.home, 'skills', 'reading'), { recursive: true })
    writeFileSync(join(home.home, 'skills', 'reading', 'SKILL.md'), 'Read twice.\n')
    await home.setBoard({ reviewer: 'judge', reviewSkills: ['reading', 'missing'] })
    writeAgent(home, 'judge', 'harness: command\nargs: [/bin/sh, -c, "cat >told; echo fine"]')
    const own = await home.create('own', '--assignee', 'judge')
    await home.muster('request-review', own.id, '--summary', 'I made it')
    const id = await handedOver(home, '--check', 'test -f work')
    const report = await home.dispatch('--wait')
    expect(report.started).toMatchObject([{ id, agent: 'judge', phase: 'review' }])
    expect(report.awaitingReview).toEqual([own.id])
    expect(await home.show(id)).toMatchObject({ status: 'done', result: 'it is made' })
    const told = readFileSync(home.workspace(id, 'told'), 'utf8')
    expect(told).toMatch(
      /## Skills[^#]*- `reading`: see below[^#]*\n- `missing` \(not installed here\)[^#]*### Skill `reading`\n\n```text\nRead twice\.\n```/,
    )
    const [reason] = await why(home, own.id)
    expect(reason?.message).toContain('judge reviews this board, but not its own work')
    expect((await home.muster('list', '--status', 'review')).stdout).toContain(own.id)
    expect((await home.muster('request-changes', own.id, 'not yet')).code).toBe(0)
    const log = JSON.parse((await home.muster('log', id, '--json')).stdout) as { phase: string; text: string }
    expect(log).toMatchObject({ phase: 'review', text: 'fine\n' })
    await home.muster('edit', own.id, '--reviewer', 'judge')
    await home.muster('request-review', own.id)
    // A reviewer that the card itself names may review its own work.
    expect((await home.dispatch('--wait')).started).toMatchObject([{ id: own.id, agent: 'judge', phase: 'review' }])
  })

  test('an agent does not review its own work, even after a reassignment', async () => {
    const home = await reviewHome('sqlite')
    await home.setBoard({ reviewer: 'critic' })
    const body = `[ "$MUSTER_PHASE" = work ] && ${ASKS} 'made by me'`
    const { id } = await home.create('handed on', '--assignee', 'critic', '--body', body)
    const other = await home.create('other', '--assignee', 'author', '--body', `${body} || true`)
    await home.dispatch('--wait')
    await home.muster('assign', id, 'author')
    expect((await why(home, id))[0]?.message).toContain('critic reviews this board, but not its own work')
    expect((await home.dispatch('--dry-run')).started).toMatchObject([{ id: other.id, agent: 'critic' }])
    const report = await home.dispatch('--wait')
    expect(report.started).toMatchObject([{ id: other.id, agent: 'critic', phase: 'review' }])
    expect(report.awaitingReview).toEqual([id])
    await home.muster('edit', id, '--reviewer', 'critic')
    expect((await home.dispatch('--wait')).started).toMatchObject([{ id, agent: 'critic', phase: 'review' }])
  })

  test('a reviewing worker cannot request a review, and a person can approve during its run', async () => {
    const home = await reviewHome('sqlite')
    const body = `if [ "$MUSTER_PHASE" = work ]; then ${ASKS} ready; else ${ASKS} 'look yourself' 2>said; ${WAITS}; fi`
    const { id } = await home.create('seen', '--assignee', 'author', '--reviewer', 'critic', '--body', body)
    startUp(home)
    await untilBegun(home, id)
    expect(readFileSync(home.workspace(id, 'said'), 'utf8')).toContain('A review cannot ask for a review')
    expect((await home.muster('ps')).stdout).toMatch(/critic {2}attempt 2 \(review\)/)
    expect((await why(home, id))[0]?.message).toMatch(/attempt 2 \(review\) by critic/)
    expect((await home.muster('request-changes', id, 'no')).stderr).toContain('An agent is reviewing')
    expect((await home.muster('approve', id, '--summary', 'I looked')).code).toBe(0)
    const shown = await home.show(id)
    expect(shown).toMatchObject({ status: 'done', result: 'ready' })
    expect(shown.events.find(({ kind }) => kind === 'approved')?.data).toMatchObject({ reviewer: 'tester' })
  })
})
