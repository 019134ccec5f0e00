import type { Identity } from '../../../src/core/run.ts'
import type { Store } from '../../../src/storage/store.ts'
import { hashToken, newToken } from '../../../src/util/mint.ts'
import { decide } from './proof.ts'

/** A machine with its active dispatcher. */
export interface Lead {
  readonly machine: string
  readonly identity: Identity
  readonly tokenHash: string
}

export async function leadMachine(store: Store, machine: string): Promise<Lead> {
  const identity = { machine, bootId: 'boot', pidNamespace: null, pid: process.pid, startTime: '1' }
  const tokenHash = hashToken(newToken())
  await decide(store, 'lead_dispatch', { machine, tokenHash, identity, leaseMs: 3_600_000 })
  return { machine, identity, tokenHash }
}
