import type { Caller, HttpParts } from '../parts.ts'
import { signingBoard } from './signing-board.ts'

const EVERY_MS = 60_000

/** Records in the background that a token was used, at most once a minute per token. */
export function noteUse({ target, usedAt }: HttpParts, { id, name }: Caller): void {
  const last = usedAt.get(id)
  if (last !== undefined && performance.now() - last < EVERY_MS) return
  usedAt.set(id, performance.now())
  void signingBoard(target)
    .then((board) => target.store.decide({ verb: 'use_token', board, actor: { kind: 'person', name }, input: { id } }))
    // The time of use is only informative, so the request succeeds even if it cannot be stored.
    .catch(() => usedAt.delete(id))
}
