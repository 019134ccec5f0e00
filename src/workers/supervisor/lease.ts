/**
 * Proves again and again that this supervisor lives, and learns on the way what became of its run:
 *   renewed → wait a quarter of the lease (less after a nudge) → renew …
 *   superseded: the fence is stale · intent: a person ends the run · cut off: nobody could be told for too long
 */
import type { RunDirectory } from '../run-directory.ts'
import { onNudge } from '../run-directory.ts'
import type { Owned } from './owned.ts'

/** On a server's store another machine may take the run over once the lease is out: stop before that. */
const CUT_OFF_SHARE = 3 / 4

export interface LeaseListener {
  onSuperseded(): void
  onIntent(): void
  onCutOff(): void
}

type Leased = Pick<Owned, 'store' | 'fence' | 'leaseMs'> & {
  readonly ticket: Pick<Owned['ticket'], 'board'>
  readonly directory: Pick<RunDirectory, 'nudge'>
}

export function keepLease(run: Leased, listener: LeaseListener): { stop(): void } {
  const everyMs = Math.max(1, Math.floor(run.leaseMs / 4))
  const renew = makeRenewal(run, listener)
  let state: 'waiting' | 'looking' | 'nudged' | 'stopped' = 'waiting'
  let timer = setTimeout(look, everyMs)

  function look(): void {
    if (state !== 'waiting') {
      if (state === 'looking') state = 'nudged'
      return
    }
    clearTimeout(timer)
    state = 'looking'
    void renew(() => state === 'stopped').then(lookLater)
  }

  function lookLater(): void {
    if (state === 'stopped') return
    timer = setTimeout(look, state === 'nudged' ? 0 : everyMs)
    state = 'waiting'
  }

  const nudges = onNudge(run.directory, look)
  return {
    stop() {
      state = 'stopped'
      clearTimeout(timer)
      nudges.stop()
    },
  }
}

/** One renewal, and what it tells. It never rejects: a store that does not answer is one of the things it tells. */
function makeRenewal({ store, ticket, fence, leaseMs }: Leased, listener: LeaseListener) {
  let renewedAt = performance.now()
  return async (isStopped: () => boolean): Promise<void> => {
    try {
      const held = await store.renewLease(ticket.board, fence)
      if (isStopped()) return
      if (held === null) return listener.onSuperseded()
      renewedAt = performance.now()
      if (held.intent !== null) listener.onIntent()
    } catch {
      // An embedded store belongs to this machine alone: nobody else can take the run, so it is tried again.
      const silentMs = performance.now() - renewedAt
      if (!isStopped() && store.engine === 'postgres' && silentMs >= leaseMs * CUT_OFF_SHARE) listener.onCutOff()
    }
  }
}
