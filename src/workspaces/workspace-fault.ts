/** A card cannot be worked on where it asks to be; the sentence says why, and what to do about it. */
export class WorkspaceFault extends Error {
  override readonly name = 'WorkspaceFault'
}

/** The same, but only for now: the run is not counted against the card, which waits. */
export class WorkspaceBusy extends WorkspaceFault {}

/** The sentence that matters in a message of several lines, without git's prefix and the last full stop. */
export function faultReason({ message }: WorkspaceFault): string {
  const lines = message.split('\n')
  const reason = lines.find((line) => /^(error|fatal): /.test(line)) ?? lines[0] ?? ''
  return reason.replace(/^(error|fatal): /, '').replace(/\.$/, '')
}
