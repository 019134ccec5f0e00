/** A check of a card: what a person wrote, read, and what became of it. */

/** How long one may take on a board that was made before there was such a setting. */
export const CHECK_MS = 10 * 60_000

/** A line for the shell, or a probe that looks without running anything. */
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
  /** As it stands on the card. */
  readonly check: string
  readonly ok: boolean
  /** Why not, in a few words; null when it is. */
  readonly fault: string | null
  /** Of a command that came to its own end. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  readonly durationMs: number
  /** The beginning and the end of what it printed. */
  readonly output: string
  readonly leftOutBytes: number
}
