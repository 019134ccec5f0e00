/** The colours of the output. Only a terminal gets colours. */
import type { Status } from '../../core/vocabulary.ts'

/**
 * A function that colours a text. Muster has its own functions, because the common package loads standard output, which
 * takes 2 ms.
 */
type Paint = (text: string) => string

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const
export type Colors = Readonly<Record<keyof typeof CODES, Paint>>

export const createColors = (enabled: boolean): Colors =>
  Object.fromEntries(
    Object.entries(CODES).map(([name, [on, off]]): [string, Paint] => [
      name,
      enabled ? (text) => `\u001b[${on}m${text}\u001b[${off}m` : (text) => text,
    ]),
  ) as Colors

export interface Paints {
  /** Colours a status. Only statuses that need attention are bright. */
  readonly status: (status: Status, text: string) => string
  readonly faint: (text: string) => string
  readonly warning: (text: string) => string
  /** Colours the mark beside a selected item. */
  readonly mark: (text: string) => string
  readonly strong: (text: string) => string
}

export function paintsFor(enabled: boolean): Paints {
  const { green, yellow, red, dim, cyan, bold } = createColors(enabled)
  const byStatus: Readonly<Partial<Record<Status, (text: string) => string>>> = {
    running: green,
    review: cyan,
    blocked: red,
    scheduled: yellow,
    done: dim,
    archived: dim,
  }
  return {
    status: (status, text) => byStatus[status]?.(text) ?? text,
    faint: dim,
    warning: yellow,
    mark: cyan,
    strong: bold,
  }
}
