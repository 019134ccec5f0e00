/** A check of a card: its parsed form and its result. */

/** The timeout of a check on an old board that has no setting for it. */
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
  /** The reason why the check failed, in a few words. Null means that the check passed. */
  readonly fault: string | null
  /** The exit code of a command that exited and was not killed. This is null for other commands and for probes. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  readonly durationMs: number
  /** The beginning and the end of the check's output. */
  readonly output: string
  readonly leftOutBytes: number
}
