/**
 * Frees the disk space of a part of a file while another process writes to its end. Only this can shorten a log without
 * losing output. Node has no call for it, but Linux and macOS have programs for it.
 */
import { readCommand } from '../../processes/spawn.ts'

/** `fcntl(F_PUNCHHOLE)` of macOS: flags, reserved, offset, length. */
const PERL = 'open F, "+<", $ARGV[0] or exit 1; fcntl(F, 99, pack("LLqq", 0, 0, $ARGV[1], $ARGV[2])) or exit 1'

export type PunchHole = (path: string, from: number, to: number) => boolean

/** Returns false if the system or the file system does not support holes. */
export const punchHole: PunchHole = (path, from, to) => {
  const length = String(to - from)
  const done =
    process.platform === 'darwin'
      ? readCommand('perl', ['-e', PERL, path, String(from), length])
      : readCommand('fallocate', ['--punch-hole', '--offset', String(from), '--length', length, path])
  return done !== null
}
