/**
 * What the wrapper leaves behind: one line, sealed by its own checksum.
 *   muster-pid  1 <run> <token hash> <pid> <start time> <crc> <length>
 *   muster-exit 1 <run> <token hash> <code> <crc> <length>
 * A line of another run, of another claim of it, or cut short by a full disk counts as absent.
 */
import type { Fence } from '../core/run.ts'
import { cksum } from './cksum.ts'

/** The words after the fence, or null when the line is not to be trusted. */
export function openSeal(kind: 'muster-pid' | 'muster-exit', text: string, fence: Fence): string | null {
  const found = /^(.*) (\d+) (\d+)\n?$/.exec(text)
  if (found === null) return null
  const [, line = '', crc, length] = found
  const sealed = Buffer.from(`${line}\n`)
  if (Number(crc) !== cksum(sealed) || Number(length) !== sealed.length) return null
  const prefix = `${kind} 1 ${fence.runId} ${fence.tokenHash} `
  return line.startsWith(prefix) ? line.slice(prefix.length) : null
}
