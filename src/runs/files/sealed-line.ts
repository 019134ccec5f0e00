/**
 * The files of the wrapper and the supervisor: one line each, with a checksum at the end.
 *   muster-pid     1 <run> <token hash> <pid> <start time> <crc> <length>
 *   muster-exit    1 <run> <token hash> <code> <crc> <length>
 *   muster-verdict 1 <run> <token hash> <JSON> <crc> <length>
 *   muster-turn    1 <run> <token hash> <JSON> <crc> <length>
 * A line counts as absent if it is from another run or another claim, or was cut short by a full disk.
 */
import type { Fence } from '../../core/run.ts'
import { cksum } from '../../processes/cksum.ts'

type Kind = 'muster-pid' | 'muster-exit' | 'muster-verdict' | 'muster-turn'

const prefixOf = (kind: Kind, { runId, tokenHash }: Fence): string => `${kind} 1 ${runId} ${tokenHash} `

/** Appends the checksum and the length, in the format of the shell's `cksum`. */
export function sealed(kind: Kind, fence: Fence, content: string): string {
  const line = `${prefixOf(kind, fence)}${content}`
  const bytes = Buffer.from(`${line}\n`)
  return `${line} ${cksum(bytes)} ${bytes.length}\n`
}

/** The content after the fence; null if the checksum or the fence does not match. */
export function openSeal(kind: Kind, text: string, fence: Fence): string | null {
  const found = /^(.*) (\d+) (\d+)\n?$/s.exec(text)
  if (found === null) return null
  const [, line = '', crc, length] = found
  const bytes = Buffer.from(`${line}\n`)
  if (Number(crc) !== cksum(bytes) || Number(length) !== bytes.length) return null
  const prefix = prefixOf(kind, fence)
  return line.startsWith(prefix) ? line.slice(prefix.length) : null
}
