/** Thrown if the workspace of a card cannot be used. The message gives the reason and the remedy. */
export class WorkspaceFault extends Error {
  override readonly name = 'WorkspaceFault'
}

/** A temporary fault: the card waits, and the run does not count against it. */
export class WorkspaceBusy extends WorkspaceFault {}

/** The most informative line of a message, without git's prefix and the full stop. */
export function faultReason({ message }: WorkspaceFault): string {
  const lines = message.split('\n')
  const reason = lines.find((line) => /^(error|fatal): /.test(line)) ?? lines[0] ?? ''
  return reason.replace(/^(error|fatal): /, '').replace(/\.$/, '')
}

/**
 * Joins the reason from `faultReason` with git's last `fatal:` line, because often one of them names the file and the
 * other the cause.
 */
export function faultReasons(fault: WorkspaceFault): string {
  const first = faultReason(fault)
  const last = fault.message.split('\n').findLast((line) => line.startsWith('fatal: '))
  const reason = last === undefined ? first : faultReason(new WorkspaceFault(last))
  return reason === first ? first : `${first}; ${reason}`
}
