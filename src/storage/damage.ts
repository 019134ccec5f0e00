/**
 * Finds out whether a process marked the store as damaged. Such a store can often still be read, but every change is
 * refused.
 */
import { realpath } from 'node:fs/promises'
import type { StoreLocation } from './location.ts'

export interface Damage {
  readonly path: string
  readonly fault: string
}

/**
 * Returns the damage, or null if the store is not marked as damaged. A store on a server is never marked, because the
 * server checks its own files.
 */
export async function findDamage(location: StoreLocation): Promise<Damage | null> {
  if (location.engine !== 'sqlite') return null
  const { markedFault } = await import('./sqlite/quarantine.ts')
  const path = await realpath(location.path).catch(() => location.path)
  const fault = markedFault(path)
  return fault === null ? null : { path, fault }
}
