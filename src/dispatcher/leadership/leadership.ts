/** The leadership of a machine's active dispatcher. It is a lease in the store, and every write of a pass checks it. */
import { DEFAULT_BOARD } from '../../config/load.ts'
import { BoardError } from '../../core/errors.ts'
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
  /** When the leadership began, by the store's clock. It begins anew if the lease expired and was taken again. */
  readonly since: () => number
  /** The observations of the runs on this machine. */
  readonly runWatch: RunWatch
  /** Whether the lease was renewed in time, by the monotonic clock. If not, data from the store may be outdated. */
  readonly isCurrent: () => boolean
  /** False once another dispatcher leads. */
  readonly isHeld: () => boolean
  /**
   * Never rejects, because the caller must report the error that ended the pass. If the lease cannot be released, it
   * expires.
   */
  release(): Promise<void>
}

interface LeaderCandidate {
  readonly store: Store
  readonly host: Host
  readonly leaseMs: number
  /** The data folder with the machine id, for the error message. */
  readonly home: string
  /** Remembers the holder of the lease between tries. Only a candidate that tries repeatedly needs it. */
  readonly holderWatch?: HolderWatch
}

const address = { board: DEFAULT_BOARD, actor: DISPATCHER_ACTOR } as const

/** Takes the leadership of this machine and renews it until `release`. Returns an error if another dispatcher leads. */
export async function takeLeadership(candidate: LeaderCandidate): Promise<Leadership | BoardError> {
  const { store, leaseMs } = candidate
  const claim = claimOf(candidate)
  const taken = await takeLease(candidate, claim)
  if (taken instanceof BoardError) return taken
  const runWatch = await readRunWatch(candidate, claim.identity)
  const release = (): Promise<void> => releaseLease(store, claim, runWatch)
  // A SQLite store belongs to one machine, so another boot is always a reboot.
  const later = store.engine === 'sqlite' ? null : runWatch.laterLeader()
  if (later !== null) {
    runWatch.noteRefusal()
    await tryBriefly(release)
    return sharedIdError(candidate, { ...later, machine: claim.machine })
  }
  const { sentAt } = taken
  let { since } = taken
  const renew = async (isBroken: boolean): Promise<boolean> => {
    const renewed = await decideLease(store, claim, { renews: true, memory: runWatch.toMemory() })
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

type LeaseClaim = Pick<VerbInput<'lead_dispatch'>, 'machine' | 'tokenHash' | 'identity' | 'leaseMs'>

function claimOf({ host, leaseMs }: LeaderCandidate): LeaseClaim {
  const { hostname } = host.machine
  const identity = { ...ownIdentity(host), ...(hostname === undefined ? {} : { hostname }) }
  return { machine: identity.machine, tokenHash: hashToken(newToken()), identity, leaseMs }
}

type LeaseStep = { readonly deadHolder: string | null } | { readonly renews: true; readonly memory: string }

const decideLease = (store: Store, claim: LeaseClaim, step: LeaseStep) =>
  store.decide({ ...address, verb: 'lead_dispatch', input: { ...claim, ...step } })

interface TakenLease {
  /** When the leadership began, by the store's clock. */
  readonly since: number
  /** When the request was sent, by the monotonic clock. */
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

/** Called after the lease is taken, because only the leader writes these observations. */
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
  /** Starts no more renewals. Resolves when the last one is over. */
  readonly stop: () => Promise<void>
}

/**
 * Renews a lease until `stop`. The leadership also expires by the monotonic clock, because a wall clock may be changed.
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
    // After a temporary error the next renewal tries again. Every write checks the lease anyway.
    const ok = await renew(startedAt - renewedAt >= leaseMs).catch((error: unknown) =>
      isPermanent(error) ? false : null,
    )
    if (ok) renewedAt = startedAt
    held &&= ok !== false
    renewing = null
  }
  // Only one renewal runs at a time, so that `stop` can wait for it. A later renewal would take the leadership again
  // after its release.
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

/** A damaged or replaced store ends the leadership. The next attempt to lead reports the error. */
const isPermanent = (error: unknown): boolean =>
  error instanceof BoardError && !error.retryable && error.code !== 'disk_full'

/**
 * Only one machine may use a SQLite store. A second machine that opens it through a shared folder could not see which
 * processes are alive.
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
