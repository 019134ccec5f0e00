/** Runs random commands on the model and on a real store, step by step, and compares outcomes and rows. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Command, DecisionOutcome } from '../../src/core/command.ts'
import { SqlStore } from '../../src/storage/sql-store.ts'
import type { Store } from '../../src/storage/store.ts'
import { FakeClock, runScript, scripts } from '../helpers/commands.ts'
import type { Step } from '../helpers/commands.ts'
import { malformed, violations } from '../helpers/invariants.ts'
import type { BoardState } from '../helpers/invariants.ts'
import { ModelStore } from '../helpers/model-store.ts'
import type { ModelState } from '../helpers/model-store.ts'
import { NOON } from '../helpers/sample.ts'
import { openTestStore } from '../helpers/stores.ts'
import type { Engine } from '../helpers/stores.ts'
import { dialectOn, empty } from './dialects.ts'

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** Returns the model's rows in the form of an export. */
function asExport(state: ModelState): Rows {
  const by = (...keys: readonly string[]) => {
    const place = (row: object): string => keys.map((key) => String((row as Record<string, unknown>)[key])).join(' ')
    return (a: object, b: object): number => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0)
  }
  const rows = {
    board: state.boards.toSorted(by('slug')),
    task: state.tasks.toSorted(by('id')),
    link: state.links.toSorted(by('board', 'parentId', 'childId')),
    run: state.runs.toSorted(by('id')),
    comment: state.comments,
    attachment: state.attachments,
    event: state.events,
    slot: state.slots.toSorted(by('kind', 'name')),
    account: state.accounts.toSorted(by('name')),
    dispatcher: state.dispatchers.toSorted(by('machine')),
    inbox_mark: state.inboxMarks.toSorted(by('kind', 'name')),
    token: state.tokens.toSorted(by('id')),
    saved_view: state.savedViews.toSorted(by('name')),
    series: state.series.toSorted(by('id')),
    blackboard: state.blackboard.toSorted(by('root', 'key')),
  }
  // Undefined fields are left out, because a row cannot store them.
  return JSON.parse(JSON.stringify(rows)) as Rows
}

const asState = (rows: Rows, now: number): BoardState =>
  ({
    boards: rows.board,
    tasks: rows.task,
    runs: rows.run,
    links: rows.link,
    events: rows.event,
    now,
  }) as unknown as BoardState

const plain = (outcome: DecisionOutcome<unknown>): unknown =>
  JSON.parse(JSON.stringify(outcome.ok ? { result: outcome.result, now: outcome.now } : { error: outcome.error }))

interface Subject {
  /** Empties the store of a test, and lets the store use this clock. */
  fresh(clock: FakeClock): Promise<Store>
}

async function subjectOn(engine: Engine): Promise<Subject> {
  const test = await openTestStore(engine)
  let clock = new FakeClock(NOON)
  const store = new SqlStore(dialectOn(test, () => clock.now()))
  return {
    async fresh(next) {
      clock = next
      await empty(test)
      return store
    },
  }
}

/** Runs a script on the model and on the store. The rows are compared every `stride` steps and at the end. */
async function liveOnBoth(script: readonly Step[], subject: Subject, stride: number): Promise<void> {
  const clock = new FakeClock(NOON)
  const model = new ModelStore(clock.now)
  const store = await subject.fresh(clock)
  const decide = async (command: Command): Promise<DecisionOutcome<unknown>> => {
    const expected = model.decide(command)
    expect(plain(await store.decide(command))).toEqual(plain(expected))
    return expected
  }
  const compare = async (): Promise<void> => {
    const rows = (await store.exportAll()) as Rows
    expect(rows).toEqual(asExport(model.state()))
    expect(violations(asState(rows, clock.now()))).toEqual([])
  }
  let steps = 0
  await runScript(script, decide, clock, async () => {
    steps += 1
    if (steps % stride === 0) await compare()
  })
  await compare()
  expect(malformed(asState((await store.exportAll()) as Rows, clock.now()))).toEqual([])
  // The script has no supervisors that renew leases, so leases lapse as its clock advances.
  const findings = await store.doctor()
  expect(findings.filter((finding) => finding.rule !== 'lapsed_lease')).toEqual([])
}

describe.each([
  { engine: 'sqlite', numRuns: 25, stride: 1 },
  { engine: 'postgres', numRuns: 8, stride: 10 },
] as const)('random commands on $engine', ({ engine, numRuns, stride }) => {
  it('the store agrees with the model and keeps every invariant', async () => {
    const subject = await subjectOn(engine)
    await fc.assert(
      fc.asyncProperty(scripts(), (script) => liveOnBoth(script, subject, stride)),
      { numRuns, endOnFailure: false, interruptAfterTimeLimit: 20_000 },
    )
  })
})
