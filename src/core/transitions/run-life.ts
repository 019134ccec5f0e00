/**
 * The changes that a supervisor makes during its run. The run is claimed, then registered (register.ts), then reports
 * activity, verdicts and checks, and is finally settled (settle.ts). If the run no longer owns the card, these changes
 * are refused.
 */
import * as z from 'zod'
import { actorName } from '../actor.ts'
import type { Actor } from '../actor.ts'
import type { BoardSettings } from '../board.ts'
import { requiredChecks } from '../required-checks.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Refused } from '../decision.ts'
import type { EventDraft } from '../event.ts'
import { isJudgedRun } from '../goal.ts'
import { fenceSchema, verdictSchema } from '../run.ts'
import type { Run, Verdict } from '../run.ts'
import { line, taskId, text } from '../input/fields.ts'
import { eventSummary } from '../moves.ts'
import { isArchived } from '../status.ts'
import { isVerifier } from '../swarm.ts'
import type { SwarmMember } from '../swarm.ts'
import type { Task } from '../task.ts'
import { firstLine } from '../text.ts'
import { checkCreatedCards } from './created-cards.ts'
import { findTask, isRefused, wrongStatus } from './guards.ts'
import { ownedRun } from './owned-run.ts'
import type { OwnedRun } from './owned-run.ts'

const owned = z.object({ task: taskId, fence: fenceSchema })

/**
 * Whether the actor claimed the card for itself. Such a claim has no token, so the actor is compared with the actor of
 * the claim.
 */
const isClaimOf = (run: Run, actor: Actor): boolean =>
  run.kind === 'manual' && actor.kind !== 'worker' && run.claimedBy === actorName(actor)

/** Records progress of the agent. A note becomes an event. Without a note, only the time on the run changes. */
export const heartbeat = defineVerb({
  name: 'heartbeat',
  input: z.object({ task: taskId, fence: fenceSchema.nullable().default(null), note: line.nullable().default(null) }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input, actor, now }) => {
    const { note, fence } = input
    if (fence) {
      const owner = ownedRun(rows, { task: input.task, fence }, { verb: 'heartbeat', content: { note } })
      if ('ok' in owner) return owner
    }
    const task = findTask(rows, input.task)
    if (isRefused(task)) return task
    const run = rows.runs.get(task.id)
    if (!run) return wrongStatus(task, 'heartbeat', 'claimed by hand')
    if (!fence && !isClaimOf(run, actor))
      return refuse('claim_lost', `Card ${task.id} is claimed by ${run.agent ?? run.claimedBy}, not by you.`, {
        id: task.id,
        runId: run.id,
      })
    return accept(
      { runId: run.id },
      {
        changes: [{ op: 'update_run', taskId: task.id, patch: { lastActivityAt: now, ...(note ? { note } : {}) } }],
        events: note ? [{ kind: 'heartbeat', taskId: task.id, runId: run.id, data: { note } }] : [],
      },
    )
  },
})

/** Records a worker's verdict. The verdict is pending until the checks pass. A block replaces a pending completion. */
export const recordVerdict = defineVerb({
  name: 'verdict',
  input: owned.extend({ verdict: verdictSchema }),
  scope: ({ task }) => ({ tasks: [task] }),
  facts: ({ rows, input: { task, verdict } }) => {
    const claimed = verdict.kind === 'complete' ? verdict.createdCards : []
    const swarm = verdict.kind === 'request_changes' ? (rows.tasks.get(task)?.swarm ?? null) : null
    return {
      members: { fact: 'swarm_members' as const, root: swarm },
      cards: { fact: 'cards' as const, ids: claimed },
      children: { fact: 'children_among' as const, parent: task, ids: claimed },
    }
  },
  decide: ({ rows, board, facts, input, now }) => {
    const { verdict } = input
    const found = ownedRun(rows, input, { verb: 'verdict', content: verdict })
    if ('ok' in found) return found
    const { task, run } = found
    const misplaced = misplacedVerdict(task, run, verdict) ?? refuseWorkers(task, verdict, facts.members)
    if (misplaced) return misplaced
    const late = lateVerdict(found, verdict, board.settings)
    if (late) return late
    if (verdict.kind === 'complete') {
      const authors = [`agent:${run.agent ?? ''}`]
      const cards = checkCreatedCards(task, verdict.createdCards, { ...facts, runId: run.id, authors })
      if (cards.phantom.length > 0) return phantoms(task, run, cards)
    }
    const repeated = run.verdict !== null && run.verdict.kind === verdict.kind
    return accept(
      {
        runId: run.id,
        verdict: verdict.kind,
        checks: requiredChecks(task, run).length,
        isJudged: isJudgedRun(task, run),
      },
      {
        changes: [{ op: 'update_run', taskId: task.id, patch: { verdict, verdictAt: run.verdictAt ?? now } }],
        events: repeated
          ? []
          : [
              {
                kind: 'verdict_recorded',
                taskId: task.id,
                runId: run.id,
                data: { verdict: verdict.kind, summary: eventSummary(verdict) },
              },
            ],
      },
    )
  },
})

/** Refuses verdicts that this kind of run cannot report. */
export function misplacedVerdict(task: Pick<Task, 'swarmRole'>, run: Run, verdict: Verdict): Refused | null {
  if (verdict.kind === 'request_changes' && run.phase !== 'review' && !verifiesSwarm(task, run))
    return refuse('not_in_review', 'Changes can be requested only in a review run: use block or complete.')
  if (verdict.kind === 'request_changes' && (verdict.workers ?? []).length > 0 && !verifiesSwarm(task, run))
    return refuse('not_in_review', 'Only the verifier of a swarm names workers: leave them out.')
  if (verdict.kind === 'request_review' && run.phase !== 'work')
    return refuse('not_in_review', 'A review cannot ask for a review: complete to approve, or request changes.')
  if (verdict.kind === 'request_review' && verdict.reviewer !== null && verdict.reviewer === run.agent)
    return refuse(
      'not_allowed',
      `${run.agent} cannot review its own work: name another reviewer, or leave the reviewer out.`,
    )
  return null
}

const verifiesSwarm = (task: Pick<Task, 'swarmRole'>, { phase }: Pick<Run, 'phase'>): boolean =>
  isVerifier(task) && phase === 'work'

/** Refuses a request for changes if it names a card that is not a worker of the swarm, or an archived worker. */
function refuseWorkers(task: Task, verdict: Verdict, members: readonly SwarmMember[]): Refused | null {
  if (verdict.kind !== 'request_changes' || verdict.workers === undefined) return null
  const workers = members.filter(isWorking)
  const unknown = verdict.workers.filter((id) => !workers.some((worker) => worker.id === id))
  if (unknown.length === 0) return null
  const names = workers.map(({ id }) => id).join(', ')
  return refuse(
    'not_allowed',
    workers.length === 0
      ? `No worker of the swarm of ${task.id} is left: block the card with what you need.`
      : `${unknown.join(', ')} cannot be asked for changes: name workers of this swarm (${names}), or leave them out for all.`,
    { id: task.id, unknown, workers: workers.map(({ id }) => id) },
  )
}

const isWorking = ({ role, status, deletedAt }: Pick<SwarmMember, 'role' | 'status' | 'deletedAt'>): boolean =>
  role === 'worker' && deletedAt === null && !isArchived(status)

/** Refuses a verdict if the run already has another verdict, or if all check tries are used. */
function lateVerdict({ task, run }: OwnedRun, verdict: Verdict, settings: BoardSettings): Refused | null {
  if (run.verdict !== null && !replaces(verdict, run.verdict))
    return refuse('verdict_pending', `Run ${run.id} already has the verdict ${run.verdict.kind}: end your turn.`, {
      runId: run.id,
      verdict: run.verdict.kind,
      since: run.verdictAt,
    })
  if (needsChecks(verdict) && triesLeft(run, settings) === 0 && requiredChecks(task, run).length > 0)
    return refuse(
      'checks_required',
      `The checks of ${task.id} have failed ${run.checks?.tries ?? 0} times in run ${run.id}: block it with what you need, or end your turn.`,
      { id: task.id, runId: run.id, output: run.checks?.output ?? null },
    )
  return null
}

/**
 * Whether a verdict may replace the pending verdict. A verdict of the same kind corrects the hand-off. A block may
 * replace a completion.
 */
const replaces = (next: Verdict, pending: Verdict): boolean =>
  next.kind === pending.kind || (next.kind === 'block' && pending.kind === 'complete')

export const phantoms = (
  task: Task,
  run: Run | null,
  { phantom, verified }: { phantom: Task['id'][]; verified: Task['id'][] },
): Refused =>
  refuse(
    'phantom_cards',
    `Card ${task.id} is not done: ${phantom.join(', ')} ${phantom.length === 1 ? 'is' : 'are'} not yours. Complete again with the cards you created, or leave the list out.`,
    { id: task.id, phantomCards: phantom, verifiedCards: verified },
    {
      events: [
        {
          kind: 'completion_refused',
          taskId: task.id,
          runId: run?.id ?? null,
          data: { phantomCards: phantom, verifiedCards: verified },
        },
      ],
    },
  )

/**
 * Records the result of the checks. If the checks fail, the verdict is withdrawn, and the worker may report any verdict
 * next.
 */
export const recordChecks = defineVerb({
  name: 'checks',
  input: owned.extend({
    passed: z.boolean(),
    contentHash: text.nullable().default(null),
    output: text.default(''),
    /** The checks that ran. Omitted if all checks of the card ran. */
    commands: z.array(text).optional(),
    /** The checks that passed, if other checks failed. */
    passedCommands: z.array(text).optional(),
    /** Whether the agent's exit code was its verdict (`onExit: complete`). */
    onExit: z.boolean().default(false),
  }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, board, input, now }) => {
    const { task: id, fence, ...content } = input
    const { passed, contentHash, output, onExit } = content
    const found = ownedRun(rows, { task: id, fence }, { verb: 'checks', content })
    if ('ok' in found) return found
    const { task, run } = found
    const isFinishedByPerson = run.intent !== null && ['complete', 'approve'].includes(run.intent.verb)
    const pending = run.verdict !== null && needsChecks(run.verdict) ? run.verdict : null
    if (pending === null && !isFinishedByPerson && !(onExit && run.verdict === null))
      return refuse('wrong_status', `Run ${run.id} has no verdict to check.`, { runId: run.id })
    const before = run.checks?.tries ?? 0
    const unchanged = contentHash !== null && run.checks?.contentHash === contentHash
    const tries = passed || unchanged ? before : before + 1
    const ran = input.commands ?? requiredChecks(task, run)
    const checks = {
      ...run.checks,
      tries,
      contentHash,
      output,
      passedAt: passed ? now : null,
      passed: [...(passed ? ran : (input.passedCommands ?? []))],
      ran: ran.length,
    }
    const left = triesLeft({ checks }, board.settings)
    const withdrawn = !passed && !isFinishedByPerson ? pending : null
    return accept(
      { runId: run.id, triesLeft: left },
      {
        changes: [
          {
            op: 'update_run',
            taskId: task.id,
            patch: { checks, ...(withdrawn === null ? {} : { verdict: null, verdictAt: null }) },
          },
        ],
        events: checkEvents(run, { passed, withdrawn, tries, output }),
      },
    )
  },
})

/**
 * Whether the checks must pass before this verdict applies. They must pass before a card is finished or goes to review.
 */
export const needsChecks = ({ kind }: Pick<Verdict, 'kind'>): boolean =>
  kind === 'complete' || kind === 'request_review'

const triesLeft = ({ checks }: Pick<Run, 'checks'>, { checkTries }: Pick<BoardSettings, 'checkTries'>): number =>
  Math.max(0, checkTries - (checks?.tries ?? 0))

/**
 * The events of a check result. If the run has no verdict to withdraw, the end of the run records the failure instead.
 */
function checkEvents(
  run: Run,
  { passed, withdrawn, tries, output }: { passed: boolean; withdrawn: Verdict | null; tries: number; output: string },
): EventDraft[] {
  const at = { taskId: run.taskId, runId: run.id }
  if (passed) return [{ kind: 'checks_passed', ...at, data: { tries } }]
  if (withdrawn === null) return []
  const data = { verdict: withdrawn.kind, tries, output: firstLine(output, 400) }
  return [{ kind: 'verdict_withdrawn', ...at, data }]
}

/**
 * Marks a run as terminating before its processes get a signal, so that `muster why` can show the reason. A second call
 * lists the processes that did not end.
 */
export const markTerminating = defineVerb({
  name: 'terminating',
  input: owned.extend({ reason: line, survivors: z.array(z.int().min(1)).max(1000).default([]) }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input, now }) => {
    const found = ownedRun(rows, input, { verb: 'terminating', content: input.reason })
    if ('ok' in found) return { ...found, events: [] }
    const { task, run } = found
    const { reason, survivors } = input
    const at = { taskId: task.id, runId: run.id }
    const deferred: EventDraft[] =
      survivors.length === 0 ? [] : [{ kind: 'termination_deferred', ...at, data: { reason, pids: survivors } }]
    if (run.terminatingAt !== null) return accept({ runId: run.id }, { changes: [], events: deferred })
    return accept(
      { runId: run.id },
      {
        changes: [{ op: 'update_run', taskId: task.id, patch: { terminatingAt: now, terminatingReason: reason } }],
        events: [{ kind: 'terminating', ...at, data: { reason } }, ...deferred],
      },
    )
  },
})
