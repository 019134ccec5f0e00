/** The leadership of one machine's active dispatcher: a lease in the store that every write of a pass compares. */
import { DEFAULT_BOARD } from '../../config/load.ts'
import { BoardError } from '../../core/errors.ts'
import type { Identity } from '../../core/run.ts'
import type { InputOf } from '../../core/transitions/index.ts'
import type { Store } from '../../storage/store.ts'
import { hashToken, newToken } from '../../util/mint.ts'
import { ownIdentity, sightOf, systemOf } from '../../processes/identity.ts'
import type { Host } from '../../processes/identity.ts'
import { tryBriefly } from '../../supervisor/retry.ts'
import { DISPATCHER } from '../actor.ts'
import { unseenHolderError, sharedIdError } from './shared-machine-id.ts'
import type { HolderWatch } from './shared-machine-id.ts'
import { RunWatch } from '../recovery/run-watch.ts'

export interface Leadership {
  readonly machine: string
  readonly tokenHash: string
  readonly identity: Identity
  /** When the unbroken leadership began, by the store's clock. An expired lease breaks it. */
  readonly since: () => number
  /** What was observed of the runs here. */
  readonly runWatch: RunWatch
  /** Whether the lease was renewed in time, by running time; otherwise what it reads may be old. */
  readonly isCurrent: () => boolean
  /** False once another dispatcher leads. */
  readonly isHeld: () => boolean
  /** Never rejects: the error that ended the pass counts, and an unrenewed lease expires. */
  release(): Promise<void>
}

interface Candidate {
  readonly store: Store
  readonly host: Host
  readonly leaseMs: number
  /** The data folder with the id of this machine, for the remedy. */
  readonly home: string
  /** For a candidate that tries repeatedly. */
  readonly holderWatch?: HolderWatch
}

const address = { board: DEFAULT_BOARD, actor: DISPATCHER } as const

/** Takes the leadership of this machine, and renews it by a timer until `release`; or returns why it cannot. */
export async function takeLeadership(candidate: Candidate): Promise<Leadership | BoardError> {
  const { store, leaseMs } = candidate
  const claim = claimOf(candidate)
  const taken = await takeLease(candidate, claim)
  if (taken instanceof BoardError) return taken
  const runWatch = await readRunWatch(candidate, claim.identity)
  const release = (): Promise<void> => releaseLease(store, claim, runWatch)
  // A SQLite store belongs to one machine, so another boot is always a restart.
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

type LeaseClaim = Pick<InputOf<'lead_dispatch'>, 'machine' | 'tokenHash' | 'identity' | 'leaseMs'>

function claimOf({ host, leaseMs }: Candidate): LeaseClaim {
  const { hostname } = host.machine
  const identity = { ...ownIdentity(host), ...(hostname === undefined ? {} : { hostname }) }
  return { machine: identity.machine, tokenHash: hashToken(newToken()), identity, leaseMs }
}

type LeaseStep = { readonly deadHolder: string | null } | { readonly renews: true; readonly memory: string }

const decideLease = (store: Store, claim: LeaseClaim, step: LeaseStep) =>
  store.decide({ ...address, verb: 'lead_dispatch', input: { ...claim, ...step } })

interface TakenLease {
  /** By the store's clock. */
  readonly since: number
  /** In running time, before the store was asked. */
  readonly sentAt: number
}

/** An error says why another dispatcher keeps the lease. */
async function takeLease(candidate: Candidate, claim: LeaseClaim): Promise<TakenLease | BoardError> {
  const { store, host } = candidate
  const elsewhere = await otherMachine(store, claim.machine)
  if (elsewhere !== null) return elsewhere
  const holder = await store.dispatcher(claim.machine)
  const isDead = holder !== null && sightOf(host, holder.identity, store) === 'dead'
  const sentAt = performance.now()
  const taken = await decideLease(store, claim, { deadHolder: isDead ? holder.tokenHash : null })
  if (taken.ok) return { since: taken.result.since, sentAt }
  return holder === null ? taken.error : (unseenHolderError(candidate, holder) ?? taken.error)
}

/** Read after the lease is taken: only the leader writes this memory. */
async function readRunWatch({ store, host }: Candidate, { machine, bootId, pid }: Identity): Promise<RunWatch> {
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
  /** Starts no more renewals; resolves when the last one is over. */
  readonly stop: () => Promise<void>
}

/** Renews a lease until `stop`. The leadership also expires by running time, in case a clock was set. */
function keepRenewing(
  renew: (isBroken: boolean) => Promise<boolean>,
  { sentAt, leaseMs }: { sentAt: number; leaseMs: number },
): Kept {
  let held = true
  let renewedAt = sentAt
  let renewing: Promise<void> | null = null
  const renewOnce = async (): Promise<void> => {
    const startedAt = performance.now()
    // A temporary error is retried next time; every write compares the lease anyway.
    const ok = await renew(startedAt - renewedAt >= leaseMs).catch((error: unknown) =>
      isPermanent(error) ? false : null,
    )
    if (ok) renewedAt = startedAt
    held &&= ok !== false
    renewing = null
  }
  // One at a time: a late renewal would take the leadership again after its release.
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

/** A damaged or replaced store ends the leadership; the next attempt to lead reports it. */
const isPermanent = (error: unknown): boolean =>
  error instanceof BoardError && !error.retryable && error.code !== 'disk_full'

/** One machine dispatches a SQLite store: another one, through a shared folder, cannot see which processes are alive. */
async function otherMachine(store: Store, own: string): Promise<BoardError | null> {
  if (store.engine !== 'sqlite') return null
  const now = await store.now()
  const other = (await store.dispatchers()).find(({ machine, leaseUntil }) => machine !== own && leaseUntil > now)
  if (other === undefined) return null
  return new BoardError(
    'dispatcher_superseded',
    `Another machine or container (${other.machine}, pid ${other.identity.pid}) dispatches this store, and a SQLite store is dispatched by one: stop it there, or use a PostgreSQL store.`,
    { details: { machine: other.machine, pid: other.identity.pid, leaseUntil: other.leaseUntil } },
  )
}
