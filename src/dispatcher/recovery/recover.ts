/**
 * Runs of this machine that lost their supervisor, or never had one. The exit file comes first: an agent that ended by
 * itself is judged by how it ended, and by what it said of it. Without one its processes are ended and the run is
 * `interrupted`, nobody's failure. Of another machine's run nothing can be seen but its lease: when that is over, the run
 * is `interrupted` too.
 */
import { dirname } from 'node:path'
import { wasChecked } from '../../core/required-checks.ts'
import type { Fence, Run, Verdict } from '../../core/run.ts'
import type { InputOf } from '../../core/transitions/index.ts'
import { commitRun } from '../../supervisor/workspace/commit-run.ts'
import { readExit, wasCutOff } from '../../runs/files/exit-file.ts'
import { loadHarness } from '../../harnesses/index.ts'
import { monotonicMs } from '../../util/monotonic.ts'
import { isAlive, sightOf } from '../../processes/identity.ts'
import { putBackKept } from '../../harnesses/keep-files.ts'
import { nudgeRun, runDirectoryAt } from '../../runs/files/run-directory.ts'
import type { RunDirectory } from '../../runs/files/run-directory.ts'
import { removeSocket } from '../../runs/socket/address.ts'
import { endedByShutdown } from '../../processes/shutdown.ts'
import type { ProcessExit } from '../../processes/spawn.ts'
import { summarizeLog } from '../../harnesses/stream/summarize-log.ts'
import type { ReadLine } from '../../harnesses/stream/entry.ts'
import { hasCrashed, classifyEnding } from '../../harnesses/stream/classify-ending.ts'
import { readLastOutput } from '../../supervisor/turns/last-output.ts'
import { SILENT, TERMINATIONS, overtime } from '../../supervisor/termination.ts'
import type { Termination } from '../../supervisor/termination.ts'
import { readTicket } from '../../supervisor/start/ticket.ts'
import { readVerdict } from '../../runs/files/verdict-file.ts'
import { DISPATCHER } from '../actor.ts'
import type { LeaderContext } from '../dispatch-context.ts'
import { endLostGroup } from './end-lost-group.ts'
import { endSupervisor } from './end-supervisor.ts'
import { readUnreadResult } from './unread-result.ts'
import { renewsWhenNudged } from './renews-when-nudged.ts'
import type { Deferral, SettledRun } from '../report.ts'
import { isSameProcess, lapsed, startStateOf } from './start-state.ts'

type Ending = InputOf<'settle'>['ending']

export interface Recovered {
  readonly settled: readonly SettledRun[]
  readonly deferred: readonly Deferral[]
}

/** All at once: one group that ends slowly does not hold up the others, nor does one that cannot be recovered. */
export async function recover(context: LeaderContext): Promise<Recovered> {
  const { store, leadership, options } = context
  const at = monotonicMs()
  const [now, open] = await Promise.all([store.now(), store.openRuns(null)])
  const seenAt = monotonicMs()
  const runs = open.filter(({ kind }) => kind === 'agent')
  const { clockDoubtMs: doubtMs } = options
  const trusted = leadership.runWatch.look(runs, { now, at, seenAt, doubtMs, isCurrent: leadership.isCurrent() })
  // Whoever said it may be on another machine, and could not wake the supervisor.
  for (const id of leadership.runWatch.newlyAsked(runs, seenAt)) nudgeRun(options.home, id)
  const leases = runs.length === 0 ? new Map() : await leasesOf(context)
  const look = { now: trusted ? now : null, own: leadership.identity }
  const lost = runs.flatMap((run) => {
    const loss = lossOf(context, run, {
      ...look,
      lasted: (ms) => leadership.runWatch.hasLasted(run, at, ms),
      hasExit: leadership.runWatch.exitOf(run) !== null,
      isUnstarted: leadership.runWatch.unstartedBy(run) !== null,
    })
    if (loss === null) return []
    return loss === 'dead' || isUnheard(context, run, { at, leases }) ? [{ run, loss }] : []
  })
  const hung = findHung(context, runs, { now, at, leases })
  const found = await Promise.all([
    ...lost.map(({ run, loss }) => orDefer(run, () => recoverLost(context, run, loss))),
    ...hung.map(({ run, reason }) => orDefer(run, () => takeOver(context, run, reason))),
  ])
  return {
    settled: found.flatMap((one) => (one !== null && 'outcome' in one ? [one] : [])),
    deferred: found.flatMap((one) => (one !== null && 'reason' in one ? [one] : [])),
  }
}

/** `dead`: its supervisor is gone · `lapsed`: its supervisor cannot be seen from here, and its lease has ended */
type Loss = 'dead' | 'lapsed'

/** The lease counts only if the supervisor cannot be seen from here; otherwise its process does. */
export function lossOf(
  context: Pick<LeaderContext, 'host' | 'store' | 'options'>,
  run: Run,
  look: Parameters<typeof startStateOf>[2],
): Loss | null {
  const { host, store } = context
  const afterLease = lapsed(run, look.now) ? 'lapsed' : null
  if (run.machine !== host.machine.id) return afterLease
  if (run.identity === null) {
    const start = startStateOf(context, run, look)
    return start === 'coming' ? null : start === 'unseen' ? afterLease : 'dead'
  }
  const sight = sightOf(host, run.identity, store)
  return sight === 'alive' ? null : sight === 'unseen' ? afterLease : 'dead'
}

type Leases = ReadonlyMap<string, number>

const leasesOf = async ({ store }: LeaderContext): Promise<Leases> =>
  new Map((await store.boards()).map(({ slug, settings }) => [slug, settings.leaseMs]))

/**
 * The clock of a server may have been set before we came: what it says of a lease is believed once we have seen for
 * ourselves that nobody renews it. A file goes by the clock of this machine, which is watched.
 */
const isUnheard = (
  { store, leadership }: LeaderContext,
  run: Run,
  { at, leases }: { at: number; leases: Leases },
): boolean => store.engine === 'sqlite' || leadership.runWatch.isUnheard(run, at, leases.get(run.board) ?? Infinity)

interface Hung {
  readonly run: Run
  readonly reason: Termination
}

/** Runs here whose supervisor lives and does nothing: it is stopped, or hangs. */
function findHung(
  { host, leadership, options }: LeaderContext,
  runs: readonly Run[],
  { now, at, leases }: { now: number; at: number; leases: Leases },
): readonly Hung[] {
  const own = runs.filter(({ machine, identity }) => machine === leadership.machine && identity !== null)
  return own.flatMap((run) => {
    const limits = { leaseMs: leases.get(run.board) ?? Infinity, takeOverMs: options.takeOverMs }
    const reason = leadership.runWatch.hungBy(run, { now, at }, limits)
    return reason !== null && run.identity !== null && isAlive(host, run.identity) ? [{ run, reason }] : []
  })
}

/** An agent that has ended by itself meanwhile is still judged by how it ended. */
async function takeOver(context: LeaderContext, seen: Run, reason: Termination): Promise<SettledRun | Deferral | null> {
  const run = await context.store.run(seen.id)
  if (run === null || run.endedAt !== null || run.leaseUntil !== seen.leaseUntil) return null
  // A supervisor that renews its lease and still lets the time limit pass does not do its work.
  if (reason !== 'timed_out' && (await renewsWhenNudged(context, run))) return null
  const directory = directoryOf(run)
  const exit = directory === null ? null : await readOwnExit(directory, fenceOf(run))
  if (!(await endSupervisor(context, run, exit === null ? reason : 'leftovers')))
    return { id: run.taskId, reason: `The supervisor of ${run.id} hangs and cannot be ended.` }
  return recoverRun(context, run, 'dead')
}

const recoverLost = (context: LeaderContext, run: Run, loss: Loss): Promise<SettledRun | Deferral | null> =>
  run.machine === context.leadership.machine ? recoverRun(context, run, loss) : recoverForeign(context, run)

async function orDefer(run: Run, work: () => Promise<SettledRun | Deferral | null>) {
  try {
    return await work()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { id: run.taskId, reason: `Run ${run.id} was lost and could not be closed: ${why}` }
  }
}

/** Its files and processes are not ours to look at. The store refuses if its supervisor was heard after all. */
async function recoverForeign(context: LeaderContext, seen: Run): Promise<SettledRun | null> {
  const run = await context.store.run(seen.id)
  if (run === null || run.endedAt !== null) return null
  const error = `its machine (${run.machine ?? 'unknown'}) was not heard from until its lease was over`
  return settleRun(context, run, { how: 'interrupted', error }, { directory: null, loss: 'lapsed' })
}

async function recoverRun(context: LeaderContext, seen: Run, loss: Loss): Promise<SettledRun | Deferral | null> {
  // A supervisor that settles and ends between our two looks is not lost. Now that it is gone, the row is final.
  const run = await context.store.run(seen.id)
  if (run === null || run.endedAt !== null) return null
  if (run.identity === null) return settleRun(context, run, unstarted(context, run), { directory: null, loss })
  if (seen.identity === null) return null

  const fence = fenceOf(run)
  const directory = directoryOf(run)
  const readEnd = async (): Promise<ProcessExit | null> => (directory === null ? null : readOwnExit(directory, fence))
  const exit = await readEnd()
  const reason = endingOf(run, exit).how === 'exited' ? 'leftovers' : 'interrupted'
  const { found, left } = await endLostGroup(context, run, { directory, fence, reason })
  if (left.length > 0)
    return {
      id: run.taskId,
      reason: `Processes of ${run.id} cannot be ended: ${left.map(({ pid }) => pid).join(', ')}.`,
    }
  if (run.socketPath !== null) await removeSocket(run.socketPath)
  if (directory !== null) await putBackKept(directory)
  // Where there was nothing left to end, an agent that lived at the first look has ended by itself since.
  return settleRun(context, run, endingOf(run, found ? exit : await readEnd()), { directory, loss })
}

const fenceOf = (run: Run): Fence => ({ runId: run.id, tokenHash: run.tokenHash ?? '' })

/** What one of ours ended says nothing of the agent. */
const readOwnExit = async (directory: RunDirectory, fence: Fence): Promise<ProcessExit | null> =>
  (await wasCutOff(directory)) ? null : readExit(directory, fence)

/** The files lie beside the log, wherever the home of the supervisor was. */
const directoryOf = (run: Run): RunDirectory | null =>
  run.logPath === null ? null : runDirectoryAt(dirname(run.logPath))

/**
 * A supervisor that never registered counts as a failure only if its dispatcher has led without a break since the claim.
 * Otherwise the store may have been out of reach, or the machine was down. A supervisor ended by a signal never counts.
 */
function unstarted({ leadership }: LeaderContext, run: Run): Ending {
  const { dispatcher, startedAt } = run
  const failed = leadership.runWatch.unstartedBy(run)
  if (failed !== null) return { how: 'interrupted', error: failed }
  const exit = leadership.runWatch.exitOf(run)
  if (exit?.signal != null)
    return { how: 'interrupted', error: `its supervisor was ended by ${exit.signal} before it registered` }
  const isOwn = dispatcher !== null && isSameProcess(dispatcher, leadership.identity)
  if (!isOwn || startedAt < leadership.since() || !leadership.isCurrent())
    return { how: 'interrupted', error: 'its dispatcher ended or lost its leadership before the supervisor registered' }
  if (!leadership.runWatch.wasStarted(run))
    return { how: 'interrupted', error: 'the store did not confirm the claim, so its supervisor was not started' }
  const error = exit === null ? 'its supervisor did not register in time' : 'its supervisor ended before it registered'
  return { how: 'spawn_failed', error }
}

/**
 * The exit status counts, unless the agent was already being ended: then it says nothing about the work. If a shutdown
 * signal ended the agent and its supervisor is gone too, the system was shutting down.
 */
function endingOf(run: Run, exit: ProcessExit | null): Ending {
  const ownEnd = run.terminatingReason === null || run.terminatingReason === TERMINATIONS.leftovers
  if (exit !== null && ownEnd && endedByShutdown(exit))
    return {
      how: 'interrupted',
      error: `its agent was ended by ${exit.signal ?? 'a signal'}, and so was its supervisor`,
    }
  if (exit !== null && ownEnd) return { how: 'exited', exitCode: exit.code, signal: exit.signal }
  if (run.terminatingReason === TERMINATIONS.timed_out) return { how: 'timed_out', error: overtime(run) }
  if (run.terminatingReason === TERMINATIONS.stale) return { how: 'stale', error: SILENT }
  return { how: 'interrupted', error: `its supervisor (pid ${run.identity?.pid ?? '?'}) was lost` }
}

interface Unheard {
  readonly verdict: Verdict
  readonly putAway?: () => Promise<void>
}

/**
 * What its worker said when the store did not hear it, or left in its workspace for a supervisor that did not live to
 * read it. A word that checks may have withdrawn is not said any more.
 */
async function unheardWord(run: Run, ending: Ending, directory: RunDirectory): Promise<Unheard | null> {
  if (run.verdict !== null) return null
  const fence = fenceOf(run)
  const verdict = await readVerdict(directory, fence)
  const owesWord = ending.how === 'exited' && readTicket(directory)?.completesOnExit === false
  const unheard = verdict !== null ? { verdict } : owesWord ? await readUnreadResult(directory, fence) : null
  const kind = unheard?.verdict.kind
  const mayBeWithdrawn = wasChecked(run) && (kind === 'complete' || kind === 'request_review')
  return mayBeWithdrawn ? null : unheard
}

async function settleRun(
  context: LeaderContext,
  run: Run,
  ending: Ending,
  { directory, loss }: { directory: RunDirectory | null; loss: Loss },
): Promise<SettledRun | null> {
  const { store, leadership } = context
  const ticket = directory === null ? null : readTicket(directory)
  const readLine = ticket === null ? null : ((await loadHarness(ticket.harness))?.readLine ?? null)
  const heard = directory === null || readLine === null ? null : await summarizeLog(directory.log, readLine)
  const unheard = directory === null ? null : await unheardWord(run, ending, directory)
  const seen = heard === null ? ending : classifyEnding(ending, heard)
  const changes = directory === null ? null : await commitLost(context, run, { ending: seen, directory, unheard })
  const settled = await store.decide({
    verb: 'settle',
    board: run.board,
    actor: DISPATCHER,
    input: {
      task: run.taskId,
      runId: run.id,
      by: {
        machine: leadership.machine,
        dispatcherTokenHash: leadership.tokenHash,
        unregistered: run.identity === null,
        lapsed: loss === 'lapsed',
      },
      ending: seen,
      account: run.account,
      verdict: unheard?.verdict ?? null,
      completesOnExit: ticket?.completesOnExit ?? false,
      usage: heard?.usage ?? null,
      changes,
      lastWords:
        directory === null
          ? null
          : await lastWordsOf(directory.log, { ending, readLine, said: heard?.lastMessage ?? null }),
    },
  })
  if (!settled.ok) return null
  await unheard?.putAway?.()
  const { outcome, status } = settled.result
  return { id: run.taskId, board: run.board, runId: run.id, phase: run.phase, outcome, status }
}

interface LostEnd {
  readonly ending: Ending
  readonly directory: RunDirectory
  readonly unheard: Unheard | null
}

/** Commits as the supervisor would have done. A commit that it made before it was lost is not repeated. */
async function commitLost({ store, options }: LeaderContext, run: Run, { ending, directory, unheard }: LostEnd) {
  const [task, board] = await Promise.all([store.task(run.board, run.taskId), store.board(run.board)])
  if (task === null || board === null || task.workspace.kind !== 'worktree') return null
  const completesOnExit = readTicket(directory)?.completesOnExit ?? false
  const { settings } = board
  const verdict = unheard?.verdict ?? null
  return commitRun({ home: options.home, task, run, settings, directory, ending, verdict, completesOnExit })
}

interface Spoken {
  readonly ending: Ending
  readonly readLine: ReadLine | null
  readonly said: string | null
}

/** As its supervisor would have told them. */
const lastWordsOf = async (log: string, { ending, readLine, said }: Spoken): Promise<string | null> =>
  (hasCrashed(ending) ? null : said) ?? (await readLastOutput(log, readLine)) ?? said
