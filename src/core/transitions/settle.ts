/**
 * The one transaction that closes a run, after its processes are gone. What counts, in order: what a person asked of
 * the live run, the worker's verdict if its checks passed, how the processes ended.
 */
import * as z from 'zod'
import type { Account } from '../account.ts'
import { isPaused } from '../admission.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Change, Rows } from '../decision.ts'
import type { EventDraft } from '../event.ts'
import { attachmentSchema } from '../attachment.ts'
import { name, runId, taskId, text, time } from '../fields.ts'
import type { TaskId } from '../ids.ts'
import { mentionedTaskIds } from '../ids.ts'
import type { BoardSettings } from '../board.ts'
import { failureMove } from '../failure.ts'
import type { FailureOutcome } from '../failure.ts'
import { dispatches, leaseExpired, owns } from '../lease.ts'
import {
  NO_WAITS,
  archiveMove,
  blockMove,
  completeMove,
  deleteMove,
  freshCounters,
  requestChangesMove,
  requestReviewMove,
  scheduleMove,
} from '../moves.ts'
import type { HandOff, Move } from '../moves.ts'
import { accountAfter, freshAccount } from '../quota.ts'
import { fenceSchema, usageSchema, verdictSchema } from '../run.ts'
import type { Intent, Run, Verdict } from '../run.ts'
import type { Task } from '../task.ts'
import { regated } from '../readiness.ts'
import { cutFront, firstLine } from '../text.ts'
import type { Outcome } from '../vocabulary.ts'
import { checkCreatedCards } from './created-cards.ts'
import { recordFiles } from './files.ts'
import { findTask, isRefused, superseded } from './guards.ts'
import { needsChecks } from './run-life.ts'
import { closeRun } from './runs.ts'

/** How the processes of a run ended, as whoever watched them classified it. Typed: nobody reads prose. */
export const ENDINGS = [
  'exited',
  'timed_out',
  'turn_limit',
  'stale',
  'rate_limited',
  'spawn_failed',
  'interrupted',
  'stopped',
  'checks_failed',
] as const

const endingSchema = z.object({
  how: z.enum(ENDINGS),
  error: text.nullable().default(null),
  exitCode: z.int().nullable().default(null),
  signal: text.nullable().default(null),
  retryAt: time.nullable().default(null),
})

const input = z.object({
  task: taskId,
  runId,
  /**
   * The supervisor settles under its fence; a dispatcher of the same machine under its own lease, and where nobody
   * registered only as long as that is so.
   */
  by: z.union([
    z.object({ fence: fenceSchema }),
    z.object({ machine: text, dispatcherTokenHash: text, unregistered: z.boolean().default(false) }),
  ]),
  ending: endingSchema,
  /** A verdict found in the run's file, used only where the row has none. */
  verdict: verdictSchema.nullable().default(null),
  /** Whether a run that ends without a word counts as complete when it exits 0 (`onExit: complete`). */
  completesOnExit: z.boolean().default(false),
  /** The tail of the output: summary of an exit 0, last words of a failure. */
  lastWords: text.nullable().default(null),
  /** The run's account: a limit that was met pauses it. Left out, the card alone waits. */
  account: name.nullable().default(null),
  usage: usageSchema.nullable().default(null),
  attachments: z.array(attachmentSchema).default([]),
})

export const settle = defineVerb({
  name: 'settle',
  input,
  scope: ({ task, by, account }) => ({
    tasks: [task],
    account,
    ...('machine' in by ? { dispatcher: by.machine } : {}),
  }),
  facts: ({ rows, board, input: { task, verdict }, now }) => {
    const said = rows.runs.get(task)?.verdict ?? verdict
    const claimed = said?.kind === 'complete' ? said.createdCards : []
    const mentioned = said?.kind === 'complete' ? mentionedTaskIds(`${said.summary ?? ''}\n${said.result ?? ''}`) : []
    const since = Math.max(now - board.settings.attemptsWindowMs, rows.tasks.get(task)?.attemptsSince ?? 0)
    return {
      attempts: { fact: 'attempts' as const, task, since },
      cards: { fact: 'cards' as const, ids: [...new Set([...claimed, ...mentioned])] },
      children: { fact: 'children_among' as const, parent: task, ids: claimed },
    }
  },
  decide: ({ rows, board, facts, input, now }) => {
    const task = rows.tasks.get(input.task) ?? findTask(rows, input.task)
    if (isRefused(task)) return task
    const run = rows.runs.get(task.id)
    const content = { ending: input.ending, verdict: input.verdict, lastWords: input.lastWords }
    const stale = () => superseded(task, { fence: { runId: input.runId }, verb: 'settle', content })
    if (!run || run.id !== input.runId) return stale()
    if (
      'fence' in input.by ? !owns(run, input.by.fence) : !dispatches(rows.dispatcher, input.by.dispatcherTokenHash, now)
    )
      return stale()
    if ('machine' in input.by && input.by.unregistered && run.registeredAt !== null)
      return refuse('run_live', `The supervisor of run ${run.id} has registered after all.`, { runId: run.id })
    if ('machine' in input.by && run.machine !== input.by.machine && !leaseExpired(run, now))
      return refuse('run_live', `Run ${run.id} belongs to ${run.machine ?? 'a person'}, and its lease holds.`, {
        runId: run.id,
        machine: run.machine,
      })

    const said = run.verdict ?? input.verdict
    const account = input.account === run.account ? accountOf(rows, run, now) : null
    const about: About = { task, run, said, input, settings: board.settings, now, facts, account }
    const end = run.intent ? applyIntent(about, run.intent) : conclude(about)
    return accept(
      { runId: run.id, taskId: task.id, outcome: end.outcome, status: end.move.patch.status ?? task.status },
      written(about, end),
    )
  },
})

interface About {
  readonly task: Task
  readonly run: Run
  readonly said: Verdict | null
  readonly input: z.infer<typeof input>
  readonly settings: BoardSettings
  readonly now: number
  /** The account that the run spends; null where it spends none. */
  readonly account: Account | null
  readonly facts: {
    readonly attempts: { readonly recent: number }
    readonly cards: Parameters<typeof checkCreatedCards>[2]['cards']
    readonly children: readonly TaskId[]
  }
}

const accountOf = (rows: Rows, run: Run, now: number): Account | null =>
  run.account === null ? null : (rows.account ?? freshAccount(run.account, now))

/** What the account learns from this ending. */
const accountMove = (about: About, outcome: Outcome): ReturnType<typeof accountAfter> =>
  about.account === null
    ? null
    : accountAfter(about.account, about.run, {
        outcome,
        retryAt: about.input.ending.retryAt,
        settings: about.settings,
        now: about.now,
      })

/** Until when the account holds back its cards, once a limit was met; null where the card must wait for itself. */
function accountWait(about: About, outcome: FailureOutcome): number | null {
  const account = accountMove(about, outcome)?.row ?? about.account
  if (outcome !== 'rate_limited' || account === null || !isPaused(account, about.now)) return null
  return account.pausedUntil ?? about.now
}

interface End {
  readonly outcome: Outcome
  readonly move: Move
  readonly handOff: Pick<HandOff, 'summary' | 'metadata'>
  readonly error: string | null
  readonly changes?: readonly Change[]
  readonly events?: readonly EventDraft[]
}

function written(about: About, end: End): { changes: Change[]; events: EventDraft[] } {
  const { task, run, input, now } = about
  const account = accountMove(about, end.outcome)
  const { ending, usage, attachments } = input
  return {
    changes: [
      ...attachments.map((row): Change => ({ op: 'insert_attachment', row })),
      ...(end.changes ?? []),
      ...(account === null ? [] : [{ op: 'put_account' as const, row: account.row }]),
      closeRun(run, end.outcome, now, {
        summary: end.handOff.summary,
        metadata: end.handOff.metadata,
        error: end.error,
        exitCode: ending.exitCode,
        signal: ending.signal,
        usage,
      }),
      { op: 'update_task', id: task.id, patch: { ...end.move.patch, currentRunId: null } },
    ],
    events: [...end.move.events, ...(end.events ?? []), ...(account?.events ?? [])],
  }
}

/** A verdict stands when its checks passed; a word to stop working needs none. */
const verdictStands = (about: About, said: Verdict): boolean => !needsChecks(said) || isChecked(about)

const isChecked = ({ task, run }: About): boolean => task.checks.length === 0 || run.checks?.passedAt != null

function conclude(about: About): End {
  const { said, input } = about
  if (said && verdictStands(about, said)) return applyVerdict(about, said)
  const { how, exitCode, signal } = input.ending
  if (
    how === 'exited' &&
    said === null &&
    input.completesOnExit &&
    exitCode === 0 &&
    signal === null &&
    isChecked(about)
  )
    return applyVerdict(about, {
      kind: 'complete',
      summary: input.lastWords,
      metadata: null,
      result: null,
      artifacts: [],
      createdCards: [],
    })
  const outcome = outcomeOf(about)
  return fail(about, outcome, input.ending.error ?? checkOutput(about, outcome) ?? lastWordsOf(about))
}

const checkOutput = ({ run }: About, outcome: FailureOutcome): string | null =>
  outcome === 'checks_failed' ? (run.checks?.output ?? null) : null

/** The words of a failure that gave no error of its own: without them the morning reader learns nothing. */
const lastWordsOf = ({ input: { ending, lastWords } }: About): string => {
  const how = ending.signal
    ? `killed by ${ending.signal}`
    : ending.exitCode !== null
      ? `exit ${ending.exitCode}`
      : ending.how
  return lastWords ? `${how}: ${cutFront(lastWords.trim(), 400)}` : how
}

function outcomeOf(about: About): FailureOutcome {
  const { ending } = about.input
  switch (ending.how) {
    case 'exited':
      if (ending.exitCode === 75) return 'rate_limited'
      if (ending.exitCode !== 0 || ending.signal !== null) return 'crashed'
      return uncheckedOutcome(about)
    case 'turn_limit':
      return 'timed_out'
    case 'timed_out':
    case 'stale':
    case 'rate_limited':
    case 'spawn_failed':
    case 'interrupted':
    case 'stopped':
    case 'checks_failed':
      return ending.how
  }
}

/** It ended well and is not believed. Checks that nobody is left to run are nobody's failure. */
function uncheckedOutcome({ input: { by, completesOnExit }, said, task, run }: About): FailureOutcome {
  const waits = said !== null || (completesOnExit && task.checks.length > 0)
  if (waits) return 'machine' in by ? 'interrupted' : 'checks_failed'
  return run.checks === null ? 'protocol_violation' : 'checks_failed'
}

function fail(about: About, outcome: FailureOutcome, error: string | null, by = 'muster:supervisor'): End {
  const { task, run, settings, now, facts, input, said } = about
  const { exitCode, signal, retryAt } = input.ending
  const move = failureMove(
    task,
    run,
    { outcome, error, exitCode, signal, by, retryAt, accountUntil: accountWait(about, outcome) },
    { settings, now, recentAttempts: facts.attempts.recent },
  )
  const unheard: EventDraft[] = said
    ? [{ kind: 'late_result', taskId: task.id, runId: run.id, data: { verb: 'verdict', content: said } }]
    : []
  return {
    outcome,
    move,
    error,
    handOff: { summary: said?.summary ?? null, metadata: said?.metadata ?? null },
    events: unheard,
  }
}

function applyVerdict(about: About, said: Verdict): End {
  const { task, run, settings, now } = about
  const end = (outcome: Outcome, move: Move, summary: string | null, events: EventDraft[] = []): End => ({
    outcome,
    // A worker that spoke broke no protocol and met no limit.
    move: { patch: { ...move.patch, protocolViolations: 0, rateLimits: 0 }, events: move.events },
    handOff: { summary, metadata: said.metadata },
    error: null,
    events,
  })
  switch (said.kind) {
    case 'complete':
      return completed(about, said, end)
    case 'block': {
      const request = { kind: said.blockKind, reason: said.reason, by: `agent:${run.agent ?? ''}` }
      const move = blockMove(task, request, { settings, now, runId: run.id, inReview: run.phase === 'review' })
      return end('blocked', move, said.summary ?? said.reason)
    }
    case 'request_review': {
      const move = requestReviewMove(task, { reviewer: said.reviewer, summary: said.summary, runId: run.id })
      return end('review_requested', move, said.summary)
    }
    case 'request_changes':
      return end(
        'changes_requested',
        requestChangesMove(task, { reason: said.reason, runId: run.id }),
        said.summary ?? said.reason,
      )
  }
}

function completed(
  about: About,
  said: Extract<Verdict, { kind: 'complete' }>,
  end: (outcome: Outcome, move: Move, summary: string | null, events: EventDraft[]) => End,
): End {
  const { task, run, now, facts, input } = about
  const authors = [`agent:${run.agent ?? ''}`]
  const { verified } = checkCreatedCards(task, said.createdCards, { ...facts, runId: run.id, authors })
  const artifacts = input.attachments.map((attachment) => attachment.filename)
  const move = completeMove(task, said, { now, runId: run.id, verifiedCards: verified, artifacts })
  const unknown = about.said === null ? [] : unknownMentions(said, facts.cards)
  const approval: EventDraft[] =
    run.phase === 'review' || (run.phase === 'check' && run.fromStatus === 'review')
      ? [{ kind: 'approved', taskId: task.id, runId: run.id, data: { summary: said.summary ?? '' } }]
      : []
  const advice: EventDraft[] =
    unknown.length > 0
      ? [{ kind: 'unknown_cards_mentioned', taskId: task.id, runId: run.id, data: { ids: unknown } }]
      : []
  return end('completed', move, said.summary ?? said.result, [...approval, ...advice])
}

/** Ids in a worker's own words that belong to no card. The mere output of a program is not searched. */
function unknownMentions(said: Extract<Verdict, { kind: 'complete' }>, cards: About['facts']['cards']): TaskId[] {
  const known = new Set(cards.map((card) => card.id))
  return mentionedTaskIds(`${said.summary ?? ''}\n${said.result ?? ''}`).filter((id) => !known.has(id))
}

/** A person called a live card finished, but its checks never passed: it goes back where it was, uncounted. */
function unchecked(
  { task, run, input }: About,
  status: Task['status'],
  end: (outcome: Outcome, move: Move) => End,
): End {
  const { exitCode, signal } = input.ending
  const error = input.ending.error ?? run.checks?.output ?? 'the checks did not pass before the run ended'
  const data = { error: firstLine(error, 400), failures: task.consecutiveFailures, exitCode, signal }
  const events: EventDraft[] = [{ kind: 'checks_failed', taskId: task.id, runId: run.id, data }]
  return { ...end('checks_failed', { patch: { status }, events }), error }
}

/** A person's word on a live run beats the worker's; the worker's is kept. */
function applyIntent(about: About, intent: Intent): End {
  const { task, run, said, settings, now } = about
  const { by, reason } = intent
  const kept: EventDraft[] = said
    ? [{ kind: 'late_result', taskId: task.id, runId: run.id, data: { verb: 'verdict', content: said } }]
    : []
  const end = (outcome: Outcome, move: Move): End => ({
    outcome,
    move,
    handOff: { summary: intent.summary ?? reason, metadata: intent.metadata },
    error: null,
    events: kept,
  })
  const back = regated(task, run.fromStatus)
  switch (intent.verb) {
    case 'complete':
    case 'approve': {
      const { force } = intent
      if (force === null && task.checks.length > 0 && run.checks?.passedAt == null) return unchecked(about, back, end)
      const { files } = intent
      const artifacts = files.map(({ filename }) => filename)
      const forced = force === null ? {} : { forced: force }
      const move = completeMove(task, intent, { now, runId: run.id, artifacts, ...forced })
      const attached = recordFiles(task, files, { by, runId: run.id, now })
      const approval: EventDraft = {
        kind: 'approved',
        taskId: task.id,
        runId: run.id,
        data: { summary: intent.summary ?? '' },
      }
      const events = [...attached.events, ...move.events, ...(intent.verb === 'approve' ? [approval] : [])]
      return { ...end('completed', { ...move, events }), changes: attached.changes }
    }
    case 'block': {
      const request = { kind: intent.blockKind ?? 'needs_input', reason: reason ?? 'blocked by a person', by }
      return end(
        'blocked',
        blockMove(task, request, { settings, now, runId: run.id, inReview: run.phase === 'review' }),
      )
    }
    case 'schedule':
      return end('stopped', scheduleMove(task, { at: intent.scheduledAt, reason, runId: run.id }))
    case 'archive':
      return end('stopped', archiveMove(task, back, run.id))
    case 'delete':
      return end('stopped', deleteMove(task, { from: back, by, now, runId: run.id }))
    case 'reclaim': {
      const assignee = intent.assignee ?? task.assignee
      return end('reclaimed', {
        patch: { ...freshCounters(now), ...NO_WAITS, status: back, assignee },
        events: [{ kind: 'reclaimed', taskId: task.id, runId: run.id, data: { reason, by } }],
      })
    }
    case 'stop':
      return { ...fail(about, 'stopped', reason, by), handOff: { summary: reason, metadata: null } }
  }
}
