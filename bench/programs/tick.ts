/**
 * Measures whether a pass of the dispatcher takes longer on larger boards or with more waiting cards. Each pair
 * alternates, and medians are compared. No card starts, because the cap is reached or everything is paused.
 */
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { loadOptions } from '../../src/config/load.ts'
import { unwrap } from '../../src/core/command.ts'
import type { TaskId } from '../../src/core/ids.ts'
import type { VerbInput, VerbName } from '../../src/core/transitions/index.ts'
import { LanePositions } from '../../src/dispatcher/lanes/lane-positions.ts'
import type { LeaderContext } from '../../src/dispatcher/dispatch-context.ts'
import { takeLeadership } from '../../src/dispatcher/leadership/leadership.ts'
import { tick } from '../../src/dispatcher/tick.ts'
import { openStore } from '../../src/storage/open.ts'
import { connect } from '../../src/storage/sqlite/connection.ts'
import type { Store } from '../../src/storage/store.ts'
import { newTaskId } from '../../src/util/mint.ts'
import { thisHost } from '../../src/processes/identity.ts'
import { BOARD } from '../../test/helpers/places.ts'
import { createCards } from '../../test/helpers/proofs/proof.ts'
import { info, median, ratio } from '../report.ts'
import { AGENT, cycle, lead, workOn } from './cycle.ts'
import { fillBoard } from './fill-board.ts'

const BIG = 1_000_000
const SMALL = 1_000
const FREE_BYTES = 4e9
const WARM = 60
const ROUNDS = 200
const ADA = { kind: 'person', name: 'ada' } as const

interface Dispatch {
  readonly context: LeaderContext
  readonly store: Store
  leave(): Promise<void>
}

/** Starts a dispatcher on the store at `path`, with an agent for the cards. */
async function startDispatch(path: string, machineCap: number): Promise<Dispatch> {
  const home = dirname(path)
  mkdirSync(join(home, 'agents'), { recursive: true })
  writeFileSync(join(home, 'agents', `${AGENT}.md`), '---\nharness: shell\naccount: acme\n---\n')
  const store = await openStore({ engine: 'sqlite', path }, { mode: 'create' })
  await store.decide({ verb: 'create_board', board: 'default', actor: ADA, input: { slug: 'default' } })
  const host = thisHost()
  const taken = await takeLeadership({ store, host, home, leaseMs: 3_600_000 })
  if ('code' in taken) throw taken
  const options = { ...(await loadOptions({ MUSTER_HOME: home })), machineCap }
  const context = {
    store,
    host,
    options,
    env: {},
    supervisorPath: '',
    onlyBoard: null,
    max: null,
    lanePositions: new LanePositions(),
    leadership: taken,
  }
  return {
    context,
    store,
    async leave() {
      await taken.release()
      await store.close()
    },
  }
}

async function compare(few: LeaderContext, many: LeaderContext): Promise<readonly [few: number, many: number]> {
  const fewMs: number[] = []
  const manyMs: number[] = []
  for (let round = 0; round < WARM + ROUNDS; round += 1) {
    fewMs.push(await timeTick(few))
    manyMs.push(await timeTick(many))
  }
  return [median(fewMs.slice(WARM)), median(manyMs.slice(WARM))]
}

async function timeTick(context: LeaderContext): Promise<number> {
  const started = performance.now()
  const { started: runs } = await tick(context)
  if (runs.length > 0) throw new Error('a pass started a card, but must start none')
  return performance.now() - started
}

async function compareBigWithSmall(folder: string): Promise<void> {
  if (statfsSync(folder).bavail * statfsSync(folder).bsize < FREE_BYTES)
    return info(`tick-1m-vs-1k was not run: ${folder} has less than ${FREE_BYTES / 1e9} GB free`)
  const paths = [join(folder, 'small', 'muster.db'), join(folder, 'big', 'muster.db')] as const
  for (const [at, size] of [SMALL, BIG].entries()) {
    mkdirSync(dirname(paths[at] ?? ''))
    await fillBoard(paths[at] ?? '', { size, claimable: 500 })
    // Removes the machine that `fillBoard` registered.
    await change(paths[at] ?? '', 'delete from dispatcher')
  }
  await measurePair('tick-capped-1m-vs-1k', paths)
  for (const path of paths) await change(path, "update task set status = 'done' where status = 'ready'")
  await measurePair('tick-idle-1m-vs-1k', paths)
}

async function change(path: string, statement: string): Promise<void> {
  const connection = connect(path, 'rw')
  connection.exec(statement)
  await connection.close()
}

async function measurePair(name: string, [small, big]: readonly [string, string]): Promise<void> {
  const both = [await startDispatch(small, 0), await startDispatch(big, 0)] as const
  const [few, many] = await compare(both[0].context, both[1].context)
  for (const one of both) await one.leave()
  ratio(name, many / few, '<=1.3')
  info(`${few.toFixed(2)} ms among ${SMALL} cards, ${many.toFixed(2)} ms among ${BIG}`)
}

type Pause = 'account' | 'agent'

/** Starts a dispatcher on a board whose cards wait only because their account or agent is paused. */
async function startPausedDispatch(path: string, cards: number, pause: Pause): Promise<Dispatch> {
  mkdirSync(dirname(path), { recursive: true })
  const dispatch = await startDispatch(path, 4)
  const decideOnBoard = async <N extends VerbName>(verb: N, input: VerbInput<N>): Promise<void> => {
    unwrap(await dispatch.store.decide({ verb, board: BOARD, actor: ADA, input }))
  }
  await decideOnBoard('create_board', { slug: BOARD })
  for (let at = 0; at < cards; at += 100) {
    const made = { title: 'waits', assignee: AGENT, body: 'true' }
    await decideOnBoard('create', { cards: Array.from({ length: 100 }, () => ({ id: newTaskId(), ...made })) })
  }
  if (pause === 'agent') await decideOnBoard('pause', { kind: 'agent', name: AGENT })
  else await decideOnBoard('pause_account', { account: 'acme', cause: 'quota', until: Date.now() + 3_600_000 })
  return dispatch
}

async function compareLongWithShortQueues(folder: string): Promise<void> {
  for (const what of ['account', 'agent'] as const) {
    const few = await startPausedDispatch(join(folder, `${what}-few`, 'muster.db'), 100, what)
    const many = await startPausedDispatch(join(folder, `${what}-many`, 'muster.db'), 10_000, what)
    const before = (await many.store.feed(null)).cursor
    const [fewMs, manyMs] = await compare(few.context, many.context)
    const { events } = await many.store.feed(before)
    ratio(`tick-paused-${what}-10k-vs-100`, manyMs / fewMs, '<=1.3')
    ratio(`tick-paused-${what}-new-events`, events.length, '<=0')
    info(`${fewMs.toFixed(2)} ms with 100 cards that wait, ${manyMs.toFixed(2)} ms with 10,000`)
    for (const one of [few, many]) await one.leave()
  }
}

/** Measures a settlement that promotes 500 children. */
async function promoteMany(folder: string): Promise<void> {
  const path = join(folder, 'promote', 'muster.db')
  mkdirSync(dirname(path))
  const store = await openStore({ engine: 'sqlite', path }, { mode: 'create' })
  const caller = await lead(store)
  const times: number[] = []
  for (let round = 0; round < 10; round += 1) {
    const [parent] = (await createCards(store, 1, AGENT)) as [TaskId]
    const cards = Array.from({ length: 500 }, () => ({
      id: newTaskId(),
      title: 'child',
      assignee: null,
      parents: [parent],
    }))
    unwrap(await store.decide({ verb: 'create', board: BOARD, actor: ADA, input: { cards } }))
    const { cursor } = await store.feed(null)
    const started = performance.now()
    await cycle(caller, workOn(parent))
    times.push(performance.now() - started)
    const promoted = (await store.feed(cursor, 2_000)).events.filter(({ kind }) => kind === 'promoted')
    if (promoted.length !== 500 || new Set(promoted.map(({ createdAt }) => createdAt)).size !== 1)
      throw new Error(`${promoted.length} children were promoted instead of 500 at once`)
  }
  await store.close()
  ratio('tick-promote-500-ms', median(times), '<=100')
}

const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'))
try {
  await promoteMany(folder)
  await compareLongWithShortQueues(folder)
  await compareBigWithSmall(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
