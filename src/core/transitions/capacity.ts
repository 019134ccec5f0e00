/** Pauses of machines, boards, agents and accounts, and the lease of the dispatcher. */
import * as z from 'zod'
import type { Account } from '../account.ts'
import { PAUSE_CAUSES } from '../account.ts'
import { actorName, opensGates } from '../actor.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Change, ScopeRows } from '../decision.ts'
import { duration, line, name, runId, text, time } from '../input/fields.ts'
import { freshSlot } from '../slot.ts'
import { freshAccount, pausedEvent, reopened, resumedEvent, strike } from '../limits/quota.ts'
import { passReportSchema } from '../limits/last-pass.ts'
import type { LastPass, PassReport } from '../limits/last-pass.ts'
import { identitySchema } from '../run.ts'
import type { Slot, SlotKey } from '../slot.ts'
import { SLOT_KINDS } from '../vocabulary.ts'

const slotKind = z.enum(SLOT_KINDS).exclude(['account'])

/**
 * Stores the name in lower case, because claims look up agents and boards by their lower-case names. Machine ids keep
 * their case.
 */
const withLowerCaseName = <T extends { kind: z.infer<typeof slotKind>; name: string }>(slot: T): T => ({
  ...slot,
  name: slot.kind === 'machine' ? slot.name : slot.name.toLowerCase(),
})

const slotOf = ({ slots }: ScopeRows, { kind, name: key }: SlotKey): Slot =>
  slots.find((row) => row.kind === kind && row.name === key) ?? freshSlot({ kind, name: key })

/** Keeps new runs of a machine, board or agent from starting; open runs continue. */
export const pause = defineVerb({
  name: 'pause',
  input: z
    .object({
      kind: slotKind,
      name: line,
      reason: line.nullable().default(null),
      until: time.nullable().default(null),
    })
    .transform(withLowerCaseName),
  scope: ({ kind, name: key }) => ({ slots: [{ kind, name: key }] }),
  decide: ({ rows, input: { kind, name: key, reason, until }, actor, now }) => {
    if (!opensGates(actor)) return refuse('not_allowed', 'Only a person or an orchestrator may pause.')
    return accept(
      { kind, name: key, paused: true },
      {
        changes: [
          {
            op: 'put_slot',
            row: {
              ...slotOf(rows, { kind, name: key }),
              pausedAt: now,
              pausedBy: actorName(actor),
              pauseReason: reason,
              pausedUntil: until,
            },
          },
        ],
        events: [{ kind: 'paused', taskId: null, data: { kind, name: key, reason, until } }],
      },
    )
  },
})

export const resume = defineVerb({
  name: 'resume',
  input: z.object({ kind: slotKind, name: line }).transform(withLowerCaseName),
  scope: ({ kind, name: key }) => ({ slots: [{ kind, name: key }] }),
  decide: ({ rows, input: { kind, name: key }, actor, now }) => {
    if (!opensGates(actor)) return refuse('not_allowed', 'Only a person or an orchestrator may resume.')
    if (slotOf(rows, { kind, name: key }).pausedAt === null) return accept({ kind, name: key, paused: false })
    return accept(
      { kind, name: key, paused: false },
      {
        changes: [{ op: 'put_slot', row: { ...freshSlot({ kind, name: key }), resumedAt: now } }],
        events: [{ kind: 'resumed', taskId: null, data: { kind, name: key } }],
      },
    )
  },
})

/**
 * Pauses an account. A rate limit pauses the account until the reset time, and a refused login pauses it until a person
 * resumes it. A person may choose the end of a pause. A rate limit never shortens a pause, and is ignored if its run
 * started before the account was last reopened.
 */
export const pauseAccount = defineVerb({
  name: 'pause_account',
  input: z.object({
    account: name,
    cause: z.enum(PAUSE_CAUSES),
    until: time.nullable().default(null),
    reason: text.nullable().default(null),
    runStartedAt: time.nullable().default(null),
  }),
  scope: ({ account }) => ({ account }),
  decide: ({ rows, board, input, actor, now }) => {
    const account = rows.account ?? freshAccount(input.account, now)
    const { cause, reason, runStartedAt } = input
    if (actor.kind === 'worker' || (cause === 'person' && !opensGates(actor)))
      return refuse('not_allowed', 'Only a person or an orchestrator may pause an account.')
    const isLate = runStartedAt !== null && account.reopenedAt !== null && runStartedAt < account.reopenedAt
    const untilResumed = account.pauseCause !== null && account.pausedUntil === null
    if (isLate || (untilResumed && cause === 'quota'))
      return accept({ account: account.name, pausedUntil: account.pausedUntil })
    const row: Account =
      cause === 'quota'
        ? strike(account, { until: input.until, reason, by: actorName(actor) }, board.settings, now)
        : {
            ...account,
            pauseCause: cause,
            pausedUntil: cause === 'person' ? askedUntil(account, input.until) : null,
            pausedBy: actorName(actor),
            pauseReason: reason,
            probeRunId: null,
            updatedAt: now,
          }
    return accept(
      { account: account.name, pausedUntil: row.pausedUntil },
      { changes: [{ op: 'put_account', row }], events: [pausedEvent(row)] },
    )
  },
})

/**
 * The end of a pause that a person requests. A person may shorten a pause that a person made, but not a pause that the
 * provider caused.
 */
function askedUntil({ pauseCause, pausedUntil }: Account, until: number | null): number | null {
  if (until === null || pauseCause === 'auth') return null
  return pauseCause === 'quota' ? Math.max(until, pausedUntil ?? 0) : until
}

/** Reopens an account, because its probe got an answer or a person resumes it. */
export const resumeAccount = defineVerb({
  name: 'resume_account',
  input: z.object({ account: name, probeRunId: runId.nullable().default(null) }),
  scope: ({ account }) => ({ account }),
  decide: ({ rows, input, actor, now }) => {
    const { account } = rows
    if (!account)
      return refuse('account_not_found', `There is no account ${input.account}.`, { account: input.account })
    if (account.pauseCause === null) return accept({ account: account.name, pausedUntil: null })
    const byProbe =
      input.probeRunId !== null && input.probeRunId === account.probeRunId && account.pauseCause === 'quota'
    if (!byProbe && !opensGates(actor))
      return refuse('not_allowed', `Only a person may resume account ${account.name}.`, { account: account.name })
    return accept(
      { account: account.name, pausedUntil: null },
      {
        changes: [{ op: 'put_account', row: reopened(account, now) }],
        events: [resumedEvent(account)],
      },
    )
  },
})

/**
 * Makes the caller the active dispatcher of a machine, or renews its lease. The caller replaces an earlier dispatcher
 * if the lease of that dispatcher has ended or its process is dead (`deadHolder`). `since` is when the caller became
 * active. If the store has no row for the dispatcher, a renewal is refused: a restore removed the row, so the store
 * does not know the runs of this dispatcher.
 */
export const leadDispatch = defineVerb({
  name: 'lead_dispatch',
  input: z.object({
    machine: line,
    tokenHash: line,
    identity: identitySchema,
    leaseMs: duration.min(1),
    /** The token hash of the earlier dispatcher, if its process is known to be dead. */
    deadHolder: line.nullable().default(null),
    /** Whether the caller already is the active dispatcher and only extends its lease. */
    renews: z.boolean().default(false),
    /**
     * Observations that this dispatcher passes on to the next dispatcher. Each renewal stores them, because a killed
     * dispatcher cannot store them later. Null leaves the stored value unchanged.
     */
    memory: text.nullable().default(null),
    /** The last pass of the dispatcher. Null leaves the stored pass unchanged. */
    pass: passReportSchema.nullable().default(null),
  }),
  scope: ({ machine }) => ({ dispatcher: { machine, access: 'write' } }),
  decide: ({ rows, input, now }) => {
    const holder = rows.dispatcher
    const { machine, tokenHash, identity, leaseMs, memory, pass } = input
    const isMine = holder?.tokenHash === tokenHash
    if (input.renews && !isMine)
      return refuse('dispatcher_superseded', 'This dispatcher is no longer the active one on this machine.', {
        machine,
      })
    const isFree = holder === null || holder.leaseUntil <= now || holder.tokenHash === input.deadHolder
    if (!isMine && !isFree)
      return refuse(
        'dispatcher_superseded',
        `Muster is already running on this machine (pid ${holder.identity.pid}), and starts ready cards.`,
        {
          machine,
          pid: holder.identity.pid,
          leaseUntil: holder.leaseUntil,
        },
      )
    const leaseUntil = now + leaseMs
    const since = isMine && holder.leaseUntil > now ? holder.since : now
    const lastPass = pass === null ? (isMine ? holder.lastPass : null) : lastPassOf(pass, now)
    return accept(
      { machine, leaseUntil, since },
      {
        changes: [
          { op: 'put_dispatcher', row: { machine, tokenHash, identity, since, leaseUntil, lastPass } },
          ...remembered(machine, memory),
        ],
      },
    )
  },
})

const lastPassOf = ({ agoMs, ...pass }: PassReport, now: number): LastPass => ({
  ...pass,
  at: Math.max(0, now - agoMs),
})

/** Makes this dispatcher inactive. `memory` holds observations for the next dispatcher of the machine. */
export const leaveDispatch = defineVerb({
  name: 'leave_dispatch',
  input: z.object({ machine: line, tokenHash: line, memory: text.nullable().default(null) }),
  scope: ({ machine }) => ({ dispatcher: { machine, access: 'write' } }),
  decide: ({ rows, input: { machine, tokenHash, memory } }) => {
    if (rows.dispatcher?.tokenHash !== tokenHash) return accept({ machine })
    return accept({ machine }, { changes: [{ op: 'delete_dispatcher', machine }, ...remembered(machine, memory)] })
  },
})

const remembered = (machine: string, memory: string | null): Change[] =>
  memory === null ? [] : [{ op: 'put_dispatcher_memory', machine, memory }]
