/** This error means that the workspace of a card cannot be used. The message contains the reason and the remedy. */
export class WorkspaceFault extends Error {
  override readonly name = 'WorkspaceFault'
}

/** A temporary fault. The card waits, and the run does not count as a failure. */
export class WorkspaceBusy extends WorkspaceFault {}

/** The line of a message that explains most, without git's prefix and the full stop. */
export function faultReason({ message }: WorkspaceFault): string {
  const lines = message.split('\n')
  const reason = lines.find((line) => /^(error|fatal): /.test(line)) ?? lines[0] ?? ''
  return reason.replace(/^(error|fatal): /, '').replace(/\.$/, '')
}

/**
 * Joins the reason from `faultReason` with git's last `fatal:` line. Often one of the two names the file and the other
 * names the cause.
 */
export function faultReasons(fault: WorkspaceFault): string {
  const first = faultReason(fault)
  const last = fault.message.split('\n').findLast((line) => line.startsWith('fatal: '))
  const reason = last === undefined ? first : faultReason(new WorkspaceFault(last))
  return reason === first ? first : `${first}; ${reason}`
}
