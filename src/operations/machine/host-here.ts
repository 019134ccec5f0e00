import { thisHost } from '../../processes/identity.ts'
import type { Host } from '../../processes/identity.ts'

/** Null on a system that cannot run agents: commands that only read still work there. */
export function hostHere(): Host | null {
  try {
    return thisHost()
  } catch {
    return null
  }
}
