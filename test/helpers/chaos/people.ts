/** People who create cards and run random commands on them, in any status. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskId } from '../../../src/core/ids.ts'
import type { VerbName } from '../../../src/core/transitions/index.ts'
import type { ListedTask } from '../../../src/storage/store.ts'
import { newCommentId, newRunId, newTaskId } from '../../../src/util/mint.ts'
import { nudgeRun } from '../../../src/runs/files/run-directory.ts'
import { BOARD } from '../places.ts'
import type { ChaosBoard } from './chaos-board.ts'
import { count } from './chaos-board.ts'
import { OVERTIME_MS, bodyOf, makePlan } from './worker-script.ts'

const ACTOR = { kind: 'person', name: 'ada' } as const
/** The number of cards that can still run, below which people add cards. */
const KEPT_BUSY = 10
/** The exit codes that a command may return: done, refused, not found, owned by another process, try later. */
const EXPECTED_EXITS: readonly (number | null)[] = [0, 1, 3, 4, 75]

export async function actRandomly(chaosBoard: ChaosBoard, until: AbortSignal): Promise<void> {
  const running = runCliRandomly(chaosBoard, until)
  while (!until.aborted) {
    const cards = await chaosBoard.store.tasks(BOARD, { archived: true, sort: 'created-desc', limit: 60 })
    if (cards.filter(({ status }) => ['ready', 'todo', 'running'].includes(status)).length < KEPT_BUSY)
      await addCards(chaosBoard, cards)
    else await actOnce(chaosBoard, cards)
    await sleep(chaosBoard.random.between(50, 400), undefined, { signal: until }).catch(() => {})
  }
  await running
}

/** Creates a few cards at once. Some depend on each other or on existing cards. */
async function addCards({ random, store, script, plans }: ChaosBoard, cards: readonly ListedTask[]): Promise<void> {
  const ids = Array.from({ length: random.between(1, 5) }, newTaskId)
  const recent = cards.filter(({ deletedAt }) => deletedAt === null).slice(0, 10)
  const made = ids.map((id, at) => {
    const plan = makePlan(random)
    plans.set(id, plan)
    const before = [...recent.map((card) => card.id), ...ids.slice(0, at)]
    const parents = random.chance(0.4)
      ? [random.pick(before), random.pick(before)].filter((one) => one !== undefined)
      : []
    return {
      id,
      title: `card ${plans.size}`,
      assignee: 'shell',
      body: bodyOf(plan, script),
      parents: [...new Set(parents)],
      priority: random.between(-2, 2),
      maxRuntimeMs: plan.overtime ? OVERTIME_MS : null,
    }
  })
  await store.decide({ verb: 'create', board: BOARD, actor: ACTOR, input: { cards: made } })
}

type CommandInputs = {
  readonly [N in VerbName]?: (chaosBoard: ChaosBoard, card: ListedTask, other: ListedTask) => object
}

const about = (_: ChaosBoard, { id }: ListedTask): object => ({ task: id })
const asRun = (_: ChaosBoard, { id }: ListedTask): object => ({ task: id, runId: newRunId() })

const VERBS: CommandInputs = {
  complete: asRun,
  block: (_, { id }) => ({ task: id, runId: newRunId(), reason: 'a person asks' }),
  unblock: about,
  archive: about,
  unarchive: about,
  delete: about,
  undelete: about,
  reclaim: about,
  reopen: about,
  hold: about,
  release: about,
  stop: about,
  schedule: ({ random }, { id }) => ({ task: id, at: Date.now() + random.between(0, 2_000) }),
  promote: ({ random }, { id }) => ({ task: id, force: random.chance(0.5) }),
  link: (_, { id }, other) => ({ parent: other.id, child: id }),
  unlink: (_, { id, parents }, other) => ({ parent: parents[0] ?? other.id, child: id }),
  comment: (_, { id }) => ({ task: id, id: newCommentId(), body: 'how is it going?' }),
}

/**
 * The weights of verbs. Verbs that make a card runnable again are more likely, so the board does not run out of cards.
 */
const WEIGHTS: Partial<Record<VerbName, number>> = {
  unblock: 4,
  release: 2,
  reopen: 2,
  undelete: 1,
  archive: 0.5,
  delete: 0.5,
  stop: 0.5,
  hold: 0.5,
}

async function actOnce(chaosBoard: ChaosBoard, cards: readonly ListedTask[]): Promise<void> {
  const { random, store, home, verbs } = chaosBoard
  const running = cards.filter(({ status }) => status === 'running')
  const [card, other] = [random.pick(running.length > 0 && random.chance(0.4) ? running : cards), random.pick(cards)]
  const verb = random.weighted(Object.keys(VERBS).map((name) => [WEIGHTS[name as VerbName] ?? 1, name as VerbName]))
  if (card === undefined || other === undefined || verb === undefined) return
  const input = VERBS[verb]?.(chaosBoard, card, other) ?? {}
  const outcome = await store.decide({ verb, board: BOARD, actor: ACTOR, input })
  if (!outcome.ok) return
  count(verbs, verb)
  const after = await store.task(BOARD, card.id, { deleted: true })
  if (after?.currentRunId != null) nudgeRun(home, after.currentRunId)
}

/** Runs commands through the CLI, one at a time. Each must exit with an expected code. */
async function runCliRandomly(chaosBoard: ChaosBoard, until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    await sleep(chaosBoard.random.between(500, 2_000), undefined, { signal: until }).catch(() => {})
    const cards = await chaosBoard.store.tasks(BOARD, { limit: 30 })
    const running = cards.filter(({ status }) => status === 'running')
    const card = chaosBoard.random.pick(running.length > 0 ? running : cards)
    const verb = chaosBoard.random.pick(['complete', 'archive', 'delete', 'reclaim', 'unblock', 'show'])
    if (card !== undefined && verb !== undefined && !until.aborted) await runCommand(chaosBoard, verb, card.id)
  }
}

async function runCommand({ bin, env, verbs, faults }: ChaosBoard, verb: string, id: TaskId): Promise<void> {
  const args = [bin, verb, id, '--board', BOARD, '--json']
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  await once(child, 'close')
  count(verbs, `muster ${verb}`)
  if (EXPECTED_EXITS.includes(child.exitCode)) return
  faults.add(`muster ${verb} ${id} exited ${child.exitCode ?? child.signalCode}: ${stderr.slice(0, 500)}`)
}
