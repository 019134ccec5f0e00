import { PHASES, RUN_KINDS } from '../../core/vocabulary.ts'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Run } from '../../core/run.ts'
import type { Task } from '../../core/task.ts'
import type { Store } from '../../storage/store.ts'
import { groupMembers } from '../../processes/group.ts'
import { isAlive, livenessOf, thisHost } from '../../processes/identity.ts'
import type { Host } from '../../processes/identity.ts'
import { PROCESS_STATES, readUsage } from '../../processes/process-usage.ts'
import { runDirectoryAt } from '../../runs/files/run-directory.ts'
import { readLastLine } from '../../supervisor/turns/last-output.ts'
import { readLeader } from '../../runs/wrapper.ts'
import { defineOperation } from '../shared/operation.ts'
import type { OutputOf, SchemaKit } from '../shared/operation.ts'
import { requireBoard } from '../boards/require-board.ts'
import { conditionOf, RUN_CONDITIONS } from './run-condition.ts'

const schemas = ({ z, count, duration, line, runId, slug, taskId, text, time }: SchemaKit) => {
  const usage = {
    pid: z.int().min(1),
    state: z.enum(PROCESS_STATES),
    rssBytes: count,
    cpuMs: duration,
  }
  const liveRun = z.object({
    runId,
    taskId,
    board: slug,
    title: text,
    attempt: z.int().min(1),
    phase: z.enum(PHASES),
    kind: z.enum(RUN_KINDS),
    agent: line.nullable(),
    claimedBy: line,
    machine: line.nullable(),
    condition: z.enum(RUN_CONDITIONS),
    startedAt: time,
    ageMs: duration,
    /**
     * The processes of the agent. Parents come before their children. The list is empty if the processes are gone or on
     * another machine.
     */
    processes: z.array(z.object({ ...usage, parent: z.int().min(0), command: z.string() })).readonly(),
    rssBytes: count,
    cpuMs: duration,
    /** The average CPU usage since the run started, in percent of one core. */
    cpuPercent: z.number().min(0),
    supervisor: z.object({ ...usage, alive: z.boolean() }).nullable(),
    /**
     * The lease of the run. `ageMs` is the time since its last renewal. `leftMs` is negative if the lease has expired.
     */
    lease: z.object({ until: time, ageMs: z.int(), leftMs: z.int() }).nullable(),
    /** The agent's last output or action, if the log is on this machine. */
    lastLine: z.string().nullable(),
    lastActivityAt: time.nullable(),
    logPath: text.nullable(),
  })
  return {
    input: z.object({ board: slug.exactOptional().describe('Only the runs of one board') }),
    output: z.array(liveRun).readonly(),
  }
}

export type RunProcesses = OutputOf<typeof schemas>[number]

export const listProcesses = defineOperation({
  name: 'ps',
  kind: 'query',
  actor: 'person',
  scope: 'machine',
  summary: 'Show what is running: processes, memory, CPU, last output.',
  schemas,
  run: async ({ store }, { board }) => {
    if (board !== undefined) await requireBoard(store, board)
    const [open, boards, now] = await Promise.all([store.openRuns(null), store.boards(), store.now()])
    const runs = open.filter((run) => board === undefined || run.board === board)
    const tasks = new Map((await store.tasksById(runs.map(({ taskId }) => taskId))).map((task) => [task.id, task]))
    const leases = new Map(boards.map(({ slug, settings }) => [slug, settings.leaseMs]))
    const host = thisHost()
    return Promise.all(
      runs.map((run) =>
        viewLiveRun(run, { store, host, now, task: tasks.get(run.taskId), leaseMs: leases.get(run.board) ?? 0 }),
      ),
    )
  },
})

interface RunContext {
  readonly store: Pick<Store, 'engine'>
  readonly host: Host
  readonly now: number
  readonly task: Task | undefined
  readonly leaseMs: number
}

async function viewLiveRun(run: Run, { store, host, now, task, leaseMs }: RunContext): Promise<RunProcesses> {
  const isHere = run.kind === 'agent' && canSee(run, { host, store })
  const ageMs = Math.max(0, now - run.startedAt)
  const processes = isHere ? await processesOf(run, host) : []
  const supervisor = isHere ? supervisorOf(run, host) : null
  const cpuMs = processes.reduce((sum, one) => sum + one.cpuMs, 0)
  return {
    runId: run.id,
    taskId: run.taskId,
    board: run.board,
    title: task?.title ?? '',
    attempt: run.attempt,
    phase: run.phase,
    kind: run.kind,
    agent: run.agent,
    claimedBy: run.claimedBy,
    machine: run.machine,
    condition: conditionOf(run, { isHere, supervised: supervisor?.alive ?? false, processes: processes.length }),
    startedAt: run.startedAt,
    ageMs,
    processes,
    rssBytes: processes.reduce((sum, one) => sum + one.rssBytes, 0),
    cpuMs,
    cpuPercent: ageMs === 0 ? 0 : Math.round((cpuMs / ageMs) * 1000) / 10,
    supervisor,
    lease: leaseOf(run, leaseMs, now),
    lastLine: isHere && run.logPath !== null ? await readLastLine(run.logPath) : null,
    lastActivityAt: isHere ? await latestActivity(run) : run.lastActivityAt,
    logPath: run.logPath,
  }
}

/**
 * The time of the latest activity. The time of the log counts too, because the store records new output only with the
 * next renewal of the lease.
 */
async function latestActivity({ lastActivityAt, logPath }: Run): Promise<number | null> {
  const log = logPath === null ? null : await stat(logPath).catch(() => null)
  if (log === null || log.size === 0) return lastActivityAt
  return Math.max(lastActivityAt ?? 0, Math.floor(log.mtimeMs))
}

const canSee = ({ machine, identity }: Run, { store, host }: Pick<RunContext, 'store' | 'host'>): boolean =>
  identity === null ? machine === host.machine.id : livenessOf(host, identity, store) !== 'unseen'

/** The processes of the agent. A parent process comes before its children. */
async function processesOf(run: Run, host: Host): Promise<RunProcesses['processes']> {
  const directory = run.logPath === null ? null : runDirectoryAt(dirname(run.logPath))
  const fence = { runId: run.id, tokenHash: run.tokenHash ?? '' }
  const leader = directory === null ? null : await readLeader(directory, fence)
  const members = groupMembers(host.processes, { run: run.id, leader })
  const parents = new Map(members.map(({ pid, parent }) => [pid, parent]))
  const usage = readUsage([...parents.keys()]).filter(({ state }) => state !== 'zombie')
  return usage.map((one) => ({ ...one, parent: parents.get(one.pid) ?? 0 })).toSorted((a, b) => a.pid - b.pid)
}

/**
 * The supervisor process of the run. The whole identity is compared, because another process may have the same pid now.
 */
function supervisorOf({ identity }: Run, host: Host): RunProcesses['supervisor'] {
  if (identity === null) return null
  const alive = isAlive(host, identity)
  const found = alive ? readUsage([identity.pid])[0] : undefined
  const { state = 'unknown', rssBytes = 0, cpuMs = 0 } = found ?? {}
  return { pid: identity.pid, alive, state, rssBytes, cpuMs }
}

const leaseOf = ({ leaseUntil }: Run, leaseMs: number, now: number): RunProcesses['lease'] =>
  leaseUntil === null ? null : { until: leaseUntil, ageMs: now - leaseUntil + leaseMs, leftMs: leaseUntil - now }
