/** People who create cards and run random commands on them, in any status, and a reader of the feed. */
import type { Actor } from '../../src/core/actor.ts'
import { newCommentId, newRunId, newTaskId } from '../../src/util/mint.ts'
import type { ListedTask, Store } from '../../src/storage/store.ts'
import { SUPERVISOR } from '../../src/supervisor/supervised-run.ts'
import type { VerbName } from '../../src/core/transitions/index.ts'
import type { Random } from '../helpers/random.ts'
import type { Kernel } from './kernel.ts'
import type { Plan } from './plan.ts'
import { GOALS, makePlan } from './plan.ts'
import type { SimProcess } from './process.ts'
import { BOARD } from './names.ts'

export const ADA = { kind: 'person', name: 'ada' } as const

export interface PersonContext {
  readonly kernel: Kernel
  readonly process: SimProcess
  readonly store: Store
  readonly plans: Map<string, Plan>
  /** Wakes the supervisor of a run. */
  nudge(run: string): void
  /** Whether people on this board make long pauses. */
  readonly slow: boolean
  /** Whether cards of the agent `coder` have a goal. */
  readonly hasGoals: boolean
  /** Whether people create swarms. */
  readonly hasSwarms: boolean
  readonly isOver: () => boolean
}

type MakeInput = (person: PersonContext, card: ListedTask, other: ListedTask) => object

const about: MakeInput = (_, { id }) => ({ task: id })
const asRun: MakeInput = (_, { id }) => ({ task: id, runId: newRunId() })

const VERBS: { readonly [N in VerbName]?: readonly [weight: number, makeInput: MakeInput] } = {
  complete: [1, asRun],
  block: [1, (_, { id }) => ({ task: id, runId: newRunId(), reason: 'a person asks' })],
  unblock: [4, about],
  approve: [2, asRun],
  request_changes: [1, (_, { id }) => ({ task: id, runId: newRunId(), reason: 'not yet' })],
  archive: [0.5, about],
  unarchive: [1, about],
  delete: [0.5, about],
  undelete: [1, about],
  reclaim: [1, about],
  reopen: [2, about],
  hold: [0.5, about],
  release: [2, about],
  stop: [0.5, about],
  schedule: [1, ({ kernel }, { id }) => ({ task: id, at: Math.floor(kernel.now) + kernel.random.between(0, 60_000) })],
  promote: [3, ({ kernel }, { id }) => ({ task: id, force: kernel.random.chance(0.5) })],
  claim_manual: [1, asRun],
  link: [1, (_, { id }, other) => ({ parent: other.id, child: id })],
  unlink: [1, (_, { id, parents }, other) => ({ parent: parents[0] ?? other.id, child: id })],
  comment: [1, (_, { id }) => ({ task: id, id: newCommentId(), body: 'how is it going?' })],
}

/** Writes with a stale fence by a process that outlived its run. The board must keep all of their content. */
const FENCED: { readonly [N in VerbName]?: object } = {
  heartbeat: { note: 'still at work' },
  verdict: { verdict: { kind: 'complete', summary: 'finished at last' } },
  checks: { passed: false, output: 'a test failed', contentHash: 'f00d' },
  judge: { answer: 'impossible', by: 'model', reason: 'judged too late', missing: [], hash: 'f00d' },
  note_worktree: { path: '/late', branch: 'late', base: 'c0ffee', baseBranch: 'main', notes: ['made in vain'] },
  overreach: { asked: 'delete', target: 'the board', reason: 'not its own', times: 1 },
  settle: { ending: { how: 'exited', exitCode: 0 }, lastOutput: 'that was all', completesOnExit: true },
}

const KEPT_BUSY = 6

const pause = ({ kernel, process }: PersonContext, ms: number): Promise<void> =>
  new Promise((resolve) => kernel.push(process, 'thinks', ms, resolve))

/** Returns a running worker, which then tries commands that only people may use. Returns a person if no worker runs. */
function runningWorker(cards: readonly ListedTask[]): Actor {
  const own = cards.find(({ currentRunId }) => currentRunId !== null)
  if (own === undefined || own.currentRunId === null) return ADA
  return { kind: 'worker', name: own.assignee ?? 'coder', taskId: own.id, runId: own.currentRunId }
}

/** Sends a command and ignores its errors. */
const decide = (person: PersonContext, verb: VerbName, input: object, actor: Actor = ADA): Promise<unknown> =>
  person.store.decide({ verb, input, board: BOARD, actor }).catch(() => null)

export async function actRandomly(person: PersonContext): Promise<number> {
  const { kernel, store } = person
  while (!person.isOver()) {
    const cards = await store.tasks(BOARD, { archived: true, sort: 'created-desc', limit: 40 }).catch(() => [])
    const busy = cards.filter(({ status }) => ['ready', 'todo', 'running'].includes(status)).length
    if (busy < KEPT_BUSY && cards.length < 24)
      await (person.hasSwarms && kernel.random.chance(0.3) ? addSwarm(person) : addCards(person, cards))
    else if (kernel.random.chance(0.1)) await writeLate(person, cards)
    else await actOnce(person, cards)
    await pause(person, person.slow ? kernel.random.duration(1_000, 120_000) : kernel.random.duration(100, 6_000))
  }
  return 0
}

async function addCards(person: PersonContext, there: readonly ListedTask[]): Promise<void> {
  const {
    kernel: { random },
  } = person
  const ids = Array.from({ length: random.between(1, 4) }, newTaskId)
  const cards = ids.map((id, at) => {
    const made = makePlan(random, person.slow)
    const goal = person.hasGoals && made.agent === 'coder' ? (GOALS[person.plans.size % GOALS.length] ?? null) : null
    const plan = { ...made, goal }
    person.plans.set(id, plan)
    const before = [...there.filter(({ deletedAt }) => deletedAt === null).map((card) => card.id), ...ids.slice(0, at)]
    const parents = random.chance(0.5)
      ? [random.pick(before), random.pick(before)].filter((one) => one !== undefined)
      : []
    return {
      id,
      title: `card ${person.plans.size}`,
      // The default agent `shell` cannot work towards a goal.
      assignee: random.chance(0.95) || goal !== null ? plan.agent : null,
      body: 'work',
      parents: [...new Set(parents)],
      priority: random.between(-2, 2),
      maxRuntimeMs: plan.maxRuntimeMs,
      goal: goal === null ? null : { maxTurns: goal.maxTurns },
      checks: plan.checkFails === null ? [] : ['make test'],
    }
  })
  await decide(person, 'create', { cards })
}

/** Half of the verifiers approve, and the others request changes until a person decides. */
async function addSwarm(person: PersonContext): Promise<void> {
  const { random } = person.kernel
  const member = (title: string, says?: Plan['says']) => {
    const id = newTaskId()
    const made = makePlan(random, person.slow)
    const plan =
      says === undefined ? made : { ...made, agent: 'coder' as const, says, silentTurns: 0, checkFails: null }
    person.plans.set(id, plan)
    return { id, title, body: 'work', assignee: plan.agent, maxRuntimeMs: plan.maxRuntimeMs }
  }
  const count = random.between(1, 3)
  await decide(person, 'create_swarm', {
    root: { id: newTaskId(), title: `swarm ${person.plans.size}`, body: 'the goal' },
    workers: Array.from({ length: count }, (_, at) => member(`worker ${at}`)),
    verifier: member('verifier', random.chance(0.5) ? 'complete' : 'request-changes'),
    synthesizer: member('synthesizer'),
  })
}

async function actOnce(person: PersonContext, cards: readonly ListedTask[]): Promise<void> {
  const { random } = person.kernel
  const returning = random.chance(0.5) ? cardWithSweptParent(cards) : undefined
  const card = returning ?? choose(random, cards)
  const other = random.pick(cards)
  const verb =
    returning === undefined
      ? random.weighted(Object.entries(VERBS).map(([name, [weight]]) => [weight, name as VerbName] as const))
      : returning.status === 'archived'
        ? 'unarchive'
        : 'reopen'
  if (card === undefined || other === undefined || verb === undefined) return
  const makeInput = VERBS[verb]?.[1]
  await decide(person, verb, makeInput?.(person, card, other) ?? {}, random.chance(0.25) ? runningWorker(cards) : ADA)
  const after = await person.store.task(BOARD, card.id, { deleted: true }).catch(() => null)
  if (after?.currentRunId != null) person.nudge(after.currentRunId)
}

/** Makes a write of a process that outlived its run: with a stale fence, or as the former worker. */
async function writeLate(person: PersonContext, cards: readonly ListedTask[]): Promise<void> {
  const { random } = person.kernel
  const card = random.pick(cards)
  const runs = card === undefined ? [] : await person.store.runs(BOARD, card.id).catch(() => [])
  const run = random.pick(runs)
  if (card === undefined || run === undefined) return
  const { id: runId, taskId: task, endedAt } = run
  if (endedAt !== null && random.chance(0.5)) {
    const worker = { kind: 'worker', name: run.agent ?? 'coder', taskId: task, runId } as const
    const [verb, [, makeInput]] = random.pick(Object.entries(VERBS)) ?? ['comment', [1, about]]
    await decide(person, verb as VerbName, makeInput(person, card, card), worker)
    return
  }
  const [verb, content] = random.pick(Object.entries(FENCED)) ?? ['heartbeat', {}]
  const fence = { runId, tokenHash: 'of another time' }
  const proof = verb === 'settle' ? { runId, by: { fence } } : { fence }
  await decide(person, verb as VerbName, { task, ...proof, ...content }, SUPERVISOR)
}

/** Finds a finished card whose parent's files are being swept. Sweeps are short, so people choose such a card first. */
function cardWithSweptParent(cards: readonly ListedTask[]): ListedTask | undefined {
  const sweeping = new Set(cards.filter(({ workspace }) => workspace.state === 'sweeping').map(({ id }) => id))
  return cards.find(
    ({ status, parents }) => ['done', 'archived'].includes(status) && parents.some((parent) => sweeping.has(parent)),
  )
}

function choose(random: Random, cards: readonly ListedTask[]): ListedTask | undefined {
  const running = cards.filter(({ status }) => status === 'running')
  const failed = cards.filter(({ consecutiveFailures, status }) => consecutiveFailures > 0 && status !== 'running')
  const among = random.weighted([
    [0.35, running],
    [0.25, failed],
    [0.2, cards.filter(({ status, held }) => held || status === 'blocked' || status === 'review')],
    [0.3, cards],
  ])
  return random.pick(among === undefined || among.length === 0 ? cards : among)
}

/** Reads the feed page by page during the simulation. `seen` collects the epoch and the id of each event. */
export async function readFeed(person: PersonContext, seen: string[]): Promise<number> {
  let { cursor } = await person.store.feed(null)
  while (!person.isOver()) {
    const page = await person.store.feed(cursor, person.kernel.random.between(1, 50)).catch(() => null)
    if (page !== null) {
      cursor = page.cursor
      const epoch = cursor.slice(0, cursor.indexOf(':'))
      seen.push(...page.events.map(({ id }) => `${epoch}:${id}`))
    }
    await pause(person, person.kernel.random.duration(100, 30_000))
  }
  return 0
}
