import { thisHost } from '../workers/identity.ts'
import type { Host } from '../workers/identity.ts'

/** Null on a system where no agent can run. Answers that only mention this machine hold without it. */
export function hostHere(): Host | null {
  try {
    return thisHost()
  } catch {
    return null
  }
}
