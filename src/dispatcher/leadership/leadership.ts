/**
 * The leadership of a machine's active dispatcher is a lease in the store. Every change that a pass makes checks this
 * lease.
 */
import { DEFAULT_BOARD } from '../../config/load.ts'
import { BoardError } from '../../core/errors.ts'
import type { PassReport } from '../../core/limits/last-pass.ts'
import type { Identity } from '../../core/run.ts'
import type { VerbInput } from '../../core/transitions/index.ts'
import type { Store } from '../../storage/store.ts'
import { hashToken, newToken } from '../../util/mint.ts'
import { ownIdentity, livenessOf, systemOf } from '../../processes/identity.ts'
import type { Host } from '../../processes/identity.ts'
import { tryBriefly } from '../../supervisor/retry.ts'
import { DISPATCHER_ACTOR } from '../../core/actor.ts'
import { unseenHolderError, sharedIdError } from './shared-machine-id.ts'
import type { HolderWatch } from './shared-machine-id.ts'
import { RunWatch } from '../recovery/run-watch.ts'

export interface Leadership {
  readonly machine: string
  readonly tokenHash: string
  readonly identity: Identity
  /**
   * The time at which the leadership began, by the store's clock. If the lease expired and was taken again, this is the
   * later time.
   */
  readonly since: () => number
  /** The observations of this dispatcher about the runs on this machine. */
  readonly runWatch: RunWatch
  /** Keeps the report of a pass until the next renewal of the lease stores it. */
  readonly notePass: (pass: Omit<PassReport, 'agoMs'>) => void
  /** Whether the lease was renewed in time, by the monotonic clock. If not, data from the store may be outdated. */
  readonly isCurrent: () => boolean
  /** Whether this dispatcher is still the active one of its machine. */
  readonly isHeld: () => boolean
  /**
   * Releases the lease. This method never rejects, because the caller must report the error that ended the pass. If the
   * lease cannot be released, it expires.
   */
  release(): Promise<void>
}

interface LeaderCandidate {
  readonly store: Store
  readonly host: Host
  readonly leaseMs: number
  /** The data folder that contains the machine id, for the error message. */
  readonly home: string
  /** Remembers the holder of the lease between attempts. Only a dispatcher that tries repeatedly needs this. */
  readonly holderWatch?: HolderWatch
}

const address = { board: DEFAULT_BOARD, actor: DISPATCHER_ACTOR } as const

/**
 * Makes this dispatcher the active one of the machine, and renews its lease until `release`. Returns an error if
 * another dispatcher is active.
 */
export async function takeLeadership(candidate: LeaderCandidate): Promise<Leadership | BoardError> {
  const { store, leaseMs } = candidate
  const claim = claimOf(candidate)
  const taken = await takeLease(candidate, claim)
  if (taken instanceof BoardError) return taken
  const runWatch = await readRunWatch(candidate, claim.identity)
  const release = (): Promise<void> => releaseLease(store, claim, runWatch)
  // A SQLite store belongs to one machine, so another boot id always means a reboot.
  const later = store.engine === 'sqlite' ? null : runWatch.laterLeader()
  if (later !== null) {
    runWatch.noteRefusal()
    await tryBriefly(release)
    return sharedIdError(candidate, { ...later, machine: claim.machine })
  }
  const { sentAt } = taken
  let { since } = taken
  let pass: NotedPass | null = null
  const renew = async (isBroken: boolean): Promise<boolean> => {
    const noted = pass
    const renewed = await decideLease(store, claim, { renews: true, memory: runWatch.toMemory(), pass: aged(noted) })
    if (renewed.ok && pass === noted) pass = null
    if (renewed.ok) since = Math.max(renewed.result.since, isBroken ? renewed.now : since)
    return renewed.ok
  }
  const { stop, ...kept } = keepRenewing(renew, { sentAt, leaseMs })
  return {
    machine: claim.machine,
    tokenHash: claim.tokenHash,
    identity: claim.identity,
    since: () => since,
    runWatch,
    notePass: (report) => void (pass = { report, endedAt: performance.now() }),
    ...kept,
    release: () => {
      const stopped = stop()
      return tryBriefly(async () => {
        await stopped
        await release()
      })
    },
  }
}

interface NotedPass {
  readonly report: Omit<PassReport, 'agoMs'>
  /** The end of the pass, by the monotonic clock. */
  readonly endedAt: number
}

const aged = (noted: NotedPass | null): PassReport | null =>
  noted && { ...noted.report, agoMs: Math.round(performance.now() - noted.endedAt) }

type LeaseClaim = Pick<VerbInput<'lead_dispatch'>, 'machine' | 'tokenHash' | 'identity' | 'leaseMs'>

function claimOf({ host, leaseMs }: LeaderCandidate): LeaseClaim {
  const { hostname } = host.machine
  const identity = { ...ownIdentity(host), ...(hostname === undefined ? {} : { hostname }) }
  return { machine: identity.machine, tokenHash: hashToken(newToken()), identity, leaseMs }
}

type LeaseStep =
  | { readonly deadHolder: string | null }
  | { readonly renews: true; readonly memory: string; readonly pass: PassReport | null }

const decideLease = (store: Store, claim: LeaseClaim, step: LeaseStep) =>
  store.decide({ ...address, verb: 'lead_dispatch', input: { ...claim, ...step } })

interface TakenLease {
  /** The time at which the leadership began, by the store's clock. */
  readonly since: number
  /** The time at which the request was sent, by the monotonic clock. */
  readonly sentAt: number
}

/** Takes the lease. Returns an error that explains why another dispatcher keeps it. */
async function takeLease(candidate: LeaderCandidate, claim: LeaseClaim): Promise<TakenLease | BoardError> {
  const { store, host } = candidate
  const elsewhere = await otherMachine(store, claim.machine)
  if (elsewhere !== null) return elsewhere
  const holder = await store.dispatcher(claim.machine)
  const isDead = holder !== null && livenessOf(host, holder.identity, store) === 'dead'
  const sentAt = performance.now()
  const taken = await decideLease(store, claim, { deadHolder: isDead ? holder.tokenHash : null })
  if (taken.ok) return { since: taken.result.since, sentAt }
  return holder === null ? taken.error : (unseenHolderError(candidate, holder) ?? taken.error)
}

/**
 * Reads the observations of the earlier dispatcher. They are read after the lease is taken, because only the active
 * dispatcher writes observations.
 */
async function readRunWatch({ store, host }: LeaderCandidate, { machine, bootId, pid }: Identity): Promise<RunWatch> {
  return new RunWatch(bootId, await store.dispatcherMemory(machine), {
    system: systemOf(host),
    hostname: host.machine.hostname ?? null,
    pid,
  })
}

async function releaseLease(store: Store, { machine, tokenHash }: LeaseClaim, runWatch: RunWatch): Promise<void> {
  const input = { machine, tokenHash, memory: runWatch.toMemory() }
  await store.decide({ ...address, verb: 'leave_dispatch', input })
}

interface Kept extends Pick<Leadership, 'isCurrent' | 'isHeld'> {
  /** Stops the renewals. Resolves when the last renewal is over. */
  readonly stop: () => Promise<void>
}

/**
 * Renews a lease until `stop`. The leadership also expires by the monotonic clock, because the system clock may be
 * changed.
 */
function keepRenewing(
  renew: (isBroken: boolean) => Promise<boolean>,
  { sentAt, leaseMs }: { sentAt: number; leaseMs: number },
): Kept {
  let held = true
  let renewedAt = sentAt
  let renewing: Promise<void> | null = null
  const renewOnce = async (): Promise<void> => {
    const startedAt = performance.now()
    // After a temporary error, the next renewal tries again. No harm is done in between, because every write checks the
    // lease.
    const ok = await renew(startedAt - renewedAt >= leaseMs).catch((error: unknown) =>
      isPermanent(error) ? false : null,
    )
    if (ok) renewedAt = startedAt
    held &&= ok !== false
    renewing = null
  }
  // Only one renewal runs at a time, so that `stop` can wait for it. A renewal after the release would take the
  // leadership again.
  const timer = setInterval(
    () => {
      renewing ??= renewOnce()
    },
    Math.max(1, Math.floor(leaseMs / 3)),
  )
  return {
    isCurrent: () => performance.now() - renewedAt < leaseMs,
    isHeld: () => held,
    stop: async () => {
      clearInterval(timer)
      await renewing
    },
  }
}

/**
 * Whether the error ends the leadership, because the store is damaged or replaced. The next attempt to become active
 * reports the error.
 */
const isPermanent = (error: unknown): boolean =>
  error instanceof BoardError && !error.retryable && error.code !== 'disk_full'

/**
 * The error if another machine uses this SQLite store. Through a shared folder, a second machine could open the store
 * but not see which processes are alive.
 */
async function otherMachine(store: Store, own: string): Promise<BoardError | null> {
  if (store.engine !== 'sqlite') return null
  const now = await store.now()
  const other = (await store.dispatchers()).find(({ machine, leaseUntil }) => machine !== own && leaseUntil > now)
  if (other === undefined) return null
  return new BoardError(
    'dispatcher_superseded',
    `Another machine or container (${other.machine}, pid ${other.identity.pid}) already runs the cards of this SQLite store, and only one may. Stop Muster there, or use a PostgreSQL store.`,
    { details: { machine: other.machine, pid: other.identity.pid, leaseUntil: other.leaseUntil } },
  )
}
