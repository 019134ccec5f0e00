/**
 * The files of the wrapper and the supervisor. Each file is one line with a checksum at the end:
 *
 * - muster-pid 1 <run> <token hash> <pid> <start time> <crc> <length>
 * - muster-exit 1 <run> <token hash> <code> <crc> <length>
 * - muster-verdict 1 <run> <token hash> <JSON> <crc> <length>
 * - muster-turn 1 <run> <token hash> <JSON> <crc> <length>
 *
 * A line counts as missing if it is from another run or another claim, or if a full disk cut it short.
 */
import type { Fence } from '../../core/run.ts'
import { cksum } from '../../processes/cksum.ts'

type Kind = 'muster-pid' | 'muster-exit' | 'muster-verdict' | 'muster-turn'

const prefixOf = (kind: Kind, { runId, tokenHash }: Fence): string => `${kind} 1 ${runId} ${tokenHash} `

/** Appends the checksum and the length to a line, in the format of the shell's `cksum`. */
export function sealed(kind: Kind, fence: Fence, content: string): string {
  const line = `${prefixOf(kind, fence)}${content}`
  const bytes = Buffer.from(`${line}\n`)
  return `${line} ${cksum(bytes)} ${bytes.length}\n`
}

/**
 * The content of a line after the run and the token hash. Null means that the checksum, the run or the token does not
 * match.
 */
export function openSeal(kind: Kind, text: string, fence: Fence): string | null {
  const found = /^(.*) (\d+) (\d+)\n?$/s.exec(text)
  if (found === null) return null
  const [, line = '', crc, length] = found
  const bytes = Buffer.from(`${line}\n`)
  if (Number(crc) !== cksum(bytes) || Number(length) !== bytes.length) return null
  const prefix = prefixOf(kind, fence)
  return line.startsWith(prefix) ? line.slice(prefix.length) : null
}
