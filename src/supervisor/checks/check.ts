/** A check of a card: its parsed form and its result. */

/** The timeout of a check if the board has no setting for it, because the board is older than the setting. */
export const CHECK_MS = 10 * 60_000

/** A shell command, or a probe that inspects files without running anything. */
export type Check =
  | { readonly kind: 'command'; readonly line: string }
  | { readonly kind: 'file'; readonly glob: string }
  | { readonly kind: 'json'; readonly file: string; readonly schema: string | null }

export function parseCheck(text: string): Check {
  const written = text.trim()
  const [, kind, rest = ''] = /^(file|json):(.*)$/s.exec(written) ?? []
  if (kind === 'file') return { kind, glob: rest.trim() }
  if (kind === 'json') {
    const [, file = '', schema] = /^([^#]*)(?:#(.*))?$/s.exec(rest) ?? []
    return { kind, file: file.trim(), schema: schema === undefined || schema.trim() === '' ? null : schema.trim() }
  }
  return { kind: 'command', line: written }
}

export interface CheckResult {
  /** The text of the check on the card. */
  readonly check: string
  readonly ok: boolean
  /** Why the check failed, in a few words; null if it passed. */
  readonly fault: string | null
  /** The exit code of a command that exited on its own; null otherwise, and for probes. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  readonly durationMs: number
  /** The beginning and the end of the check's output. */
  readonly output: string
  readonly leftOutBytes: number
}
