/**
 * Frees the disk space of a part of a file while another process writes to the end of the file. This is the only way to
 * shorten a log without losing output. Node has no call for it, but Linux and macOS have programs.
 */
import { readCommand } from '../../processes/spawn.ts'

/** The arguments of `fcntl(F_PUNCHHOLE)` on macOS are flags, reserved, offset and length. */
const PERL = 'open F, "+<", $ARGV[0] or exit 1; fcntl(F, 99, pack("LLqq", 0, 0, $ARGV[1], $ARGV[2])) or exit 1'

export type PunchHole = (path: string, from: number, to: number) => boolean

/** Punches the hole. Returns false if the system or the file system does not support holes. */
export const punchHole: PunchHole = (path, from, to) => {
  const length = String(to - from)
  const done =
    process.platform === 'darwin'
      ? readCommand('perl', ['-e', PERL, path, String(from), length])
      : readCommand('fallocate', ['--punch-hole', '--offset', String(from), '--length', length, path])
  return done !== null
}
