/**
 * The files of the wrapper and the supervisor: one line each, sealed with its own checksum.
 *   muster-pid     1 <run> <token hash> <pid> <start time> <crc> <length>
 *   muster-exit    1 <run> <token hash> <code> <crc> <length>
 *   muster-verdict 1 <run> <token hash> <JSON> <crc> <length>
 *   muster-turn    1 <run> <token hash> <JSON> <crc> <length>
 * A line of another run, of another claim of it, or cut short by a full disk counts as absent.
 */
import type { Fence } from '../../core/run.ts'
import { cksum } from '../../processes/cksum.ts'

type Kind = 'muster-pid' | 'muster-exit' | 'muster-verdict' | 'muster-turn'

const prefixOf = (kind: Kind, { runId, tokenHash }: Fence): string => `${kind} 1 ${runId} ${tokenHash} `

/** Seals a line as the shell's `cksum` does. */
export function sealed(kind: Kind, fence: Fence, words: string): string {
  const line = `${prefixOf(kind, fence)}${words}`
  const bytes = Buffer.from(`${line}\n`)
  return `${line} ${cksum(bytes)} ${bytes.length}\n`
}

/** The text after the fence; null if the seal is broken or the fence differs. */
export function openSeal(kind: Kind, text: string, fence: Fence): string | null {
  const found = /^(.*) (\d+) (\d+)\n?$/s.exec(text)
  if (found === null) return null
  const [, line = '', crc, length] = found
  const bytes = Buffer.from(`${line}\n`)
  if (Number(crc) !== cksum(bytes) || Number(length) !== bytes.length) return null
  const prefix = prefixOf(kind, fence)
  return line.startsWith(prefix) ? line.slice(prefix.length) : null
}
