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
  let renewedAt = performance.now()
  let stopped = false
  let looking: Promise<void> | null = null
  let lookAgain = false
  let timer: NodeJS.Timeout | undefined

  const renew = async (): Promise<void> => {
    try {
      const held = await run.store.renewLease(run.ticket.board, run.fence)
      if (stopped) return
      if (held === null) return listener.onSuperseded()
      renewedAt = performance.now()
      if (held.intent !== null) listener.onIntent()
    } catch {
      // An embedded store belongs to this machine alone: nobody else can take the run, so it is tried again.
      const silentMs = performance.now() - renewedAt
      if (!stopped && run.store.engine === 'postgres' && silentMs >= run.leaseMs * CUT_OFF_SHARE) listener.onCutOff()
    }
  }

  const look = (): void => {
    if (stopped) return
    if (looking !== null) {
      lookAgain = true
      return
    }
    clearTimeout(timer)
    looking = renew().finally(() => {
      looking = null
      if (stopped) return
      timer = setTimeout(look, lookAgain ? 0 : everyMs)
      lookAgain = false
    })
  }

  timer = setTimeout(look, everyMs)
  const nudges = onNudge(run.directory, look)
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
      nudges.stop()
    },
  }
}
