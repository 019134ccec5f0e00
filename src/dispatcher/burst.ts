/**
 * Pauses an agent if several of its cards crash in the same way within a short time, because further attempts would
 * fail too. The user gets one notice, and the crashes do not count against the cards.
 */
import { isSlotPaused } from '../core/gates/admission.ts'
import type { Board, BoardSettings } from '../core/board.ts'
import { DEFAULT_SETTINGS } from '../core/board.ts'
import type { OutcomeOf } from '../core/command.ts'
import type { VerbInput } from '../core/transitions/index.ts'
import type { Crash } from '../storage/store.ts'
import { harnessOf } from '../harnesses/index.ts'
import { readRoster } from '../agents/roster.ts'
import type { Roster } from '../agents/roster.ts'
import { DISPATCHER_ACTOR } from '../core/actor.ts'
import type { LeaderContext } from './dispatch-context.ts'

/** The maximum number of crashes that one pass reads. No reasonable burst limit is that high. */
const CRASHES_READ = 500

export async function pauseBursts(context: LeaderContext, boards: readonly Board[]): Promise<void> {
  const { store } = context
  const settingsOf = (slug: string): BoardSettings =>
    boards.find((board) => board.slug === slug)?.settings ?? DEFAULT_SETTINGS
  const now = await store.now()
  const longest = Math.max(0, ...boards.map(({ settings }) => settings.burstWindowMs))
  const crashes = await store.recentCrashes(now - longest, CRASHES_READ)
  if (crashes.length < 2) return
  const slots = await store.slots()
  const roster = await readRoster(context.options.home, context.env)
  for (const alike of groups(crashes.filter((crash) => isAgentFault(crash, roster)))) {
    const { agent, board } = alike[0]
    const slot = slots.find(({ kind, name }) => kind === 'agent' && name === agent)
    const burst = burstOf(alike, settingsOf(board), { now, since: slot?.resumedAt ?? -1 })
    const isPaused = slot !== undefined && isSlotPaused(slot, now)
    if (burst !== null && !isPaused) await pauseAgent(context, burst, settingsOf(board))
  }
}

/**
 * Whether a crash may be the agent's fault. If an agent runs the card's script, the script chooses the exit code, so
 * such a crash does not count. A crash by a signal always counts.
 */
function isAgentFault({ agent, signal }: Crash, { agents }: Roster): boolean {
  const known = agents.get(agent)
  return signal !== null || known === undefined || !harnessOf(known).runsTheCard
}

type AlikeCrashes = readonly [Crash, ...Crash[]]

/** Groups crashes by agent, exit code and signal. Error texts are not compared. */
function groups(crashes: readonly Crash[]): readonly AlikeCrashes[] {
  const found = new Map<string, [Crash, ...Crash[]]>()
  for (const crash of crashes) {
    const key = JSON.stringify([crash.agent, crash.exitCode, crash.signal])
    const group = found.get(key)
    if (group === undefined) found.set(key, [crash])
    else group.push(crash)
  }
  return [...found.values()]
}

/**
 * Returns the newest crash of each card. Returns null if fewer cards than the burst limit crashed. Repeated crashes of
 * one card count once, because the card's own failure limit handles them.
 */
function burstOf(
  alike: AlikeCrashes,
  { burstLimit, burstWindowMs }: BoardSettings,
  { now, since }: { now: number; since: number },
): AlikeCrashes | null {
  const recent = alike.filter(({ endedAt, startedAt }) => endedAt > now - burstWindowMs && startedAt > since)
  const [first, ...others] = recent.filter((one, at) => recent.findIndex(({ taskId }) => taskId === one.taskId) === at)
  return first === undefined || others.length + 1 < burstLimit ? null : [first, ...others]
}

/**
 * Sends one command per board. The first command pauses the agent. Each command excludes the crashes on its board from
 * the failure counts.
 */
async function pauseAgent(
  { store, leadership }: LeaderContext,
  burst: AlikeCrashes,
  { burstWindowMs }: BoardSettings,
): Promise<void> {
  const [{ agent, exitCode, signal }] = burst
  const how = signal === null ? `exit ${exitCode ?? '?'}` : `killed by ${signal}`
  const reason = `${burst.length} cards crashed in the same way within ${burstWindowMs / 1000} s (${how})`
  let pausedAt: number | null = null
  for (const board of new Set(burst.map((crash) => crash.board))) {
    const own = burst.filter((crash) => crash.board === board)
    const crashes = own.map(({ taskId, id, startedAt }) => ({ task: taskId, runId: id, startedAt }))
    const by = { machine: leadership.machine, dispatcherTokenHash: leadership.tokenHash }
    const input: VerbInput<'pause_burst'> = { agent, reason, crashes, pausedAt, ...by }
    const outcome: OutcomeOf<'pause_burst'> = await store.decide({
      verb: 'pause_burst',
      board,
      actor: DISPATCHER_ACTOR,
      input,
    })
    if (!outcome.ok) return
    pausedAt = outcome.result.pausedAt
  }
}
