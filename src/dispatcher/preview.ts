/** What a pass would do, told from reads alone: nothing is written and no process is signalled. */
import { reasonsToWait } from '../core/admission.ts'
import type { OpenRuns } from '../core/admission.ts'
import type { Board } from '../core/board.ts'
import type { Run } from '../core/run.ts'
import type { Slot } from '../core/slot.ts'
import type { Dispatching } from './dispatching.ts'
import { BUDGET, examine, findLanes } from './lanes.ts'
import type { Candidate } from './lanes.ts'
import { isLost } from './recover.ts'
import type { DispatchReport } from './report.ts'
import { emptyReport, summarised } from './report.ts'

const BATCH = 200

type Counted = Pick<Run, 'machine' | 'board' | 'agent' | 'account'>

export async function preview(dispatching: Dispatching): Promise<DispatchReport> {
  const { store } = dispatching
  const now = await store.now()
  const open = (await store.openRuns(null)).filter(({ kind }) => kind === 'agent')
  const lost = open.filter((run) => isLost(dispatching, run, now))
  const due = await store.due(now, BATCH)
  const { candidates, deferred, unassigned } = await examine(dispatching, await findLanes(dispatching), BUDGET)
  const report: DispatchReport = {
    ...emptyReport(),
    interrupted: lost.map((run) => ({
      id: run.taskId,
      board: run.board,
      runId: run.id,
      outcome: null,
      status: 'running',
    })),
    woken: due.filter(({ status }) => status !== 'running').map(({ id }) => id),
    deferred: [...deferred],
    unassigned: [...unassigned],
  }
  const slots = await store.slots()
  const counted: Counted[] = open.filter((run) => !lost.includes(run))
  for (const candidate of candidates) await place(dispatching, candidate, { counted, slots, now, report })
  return { ...report, ...summarised(report.deferred) }
}

interface Around {
  /** Open runs, and those that would be by now: a preview keeps to every cap as well. */
  readonly counted: Counted[]
  readonly slots: readonly Slot[]
  readonly now: number
  readonly report: DispatchReport
}

async function place(dispatching: Dispatching, { task, agent }: Candidate, around: Around): Promise<void> {
  const { store, host, options } = dispatching
  const { counted, report, now } = around
  const board = await store.board(task.board)
  if (board === null) return
  const run: Counted = { machine: host.machine.id, board: task.board, agent: agent.name, account: agent.account }
  const [reason] = reasonsToWait({
    task,
    board,
    now,
    openParents: await store.openParents(task.board, task.id),
    slots: slotsOf(around.slots, run, board),
    account: agent.account === null ? null : await store.account(agent.account),
    openRuns: countRuns(counted, run),
    caps: { machine: options.machineCap, agent: agent.maxConcurrent, account: null },
    directoryUser: null,
  })
  if (reason?.gate === 'cap') report.capped.push(task.id)
  else if (reason) report.deferred.push({ id: task.id, reason: reason.message })
  else {
    counted.push(run)
    report.started.push({ id: task.id, board: task.board, runId: null, agent: agent.name, attempt: null })
  }
}

const slotsOf = (slots: readonly Slot[], run: Counted, board: Board): readonly Slot[] =>
  slots.filter(
    ({ kind, name }) =>
      (kind === 'machine' && name === run.machine) ||
      (kind === 'board' && name === board.slug) ||
      (kind === 'agent' && name === run.agent),
  )

const countRuns = (counted: readonly Counted[], run: Counted): OpenRuns => ({
  machine: counted.filter(({ machine }) => machine === run.machine).length,
  board: counted.filter(({ board }) => board === run.board).length,
  agent: counted.filter(({ agent }) => agent === run.agent).length,
  account: run.account === null ? 0 : counted.filter(({ account }) => account === run.account).length,
})
