/** Colours, on a terminal only. */
import { createColors } from '../colors.ts'
import type { Status } from '../../core/vocabulary.ts'

export interface Paints {
  /** Only what asks for a look stands out. */
  readonly status: (status: Status, text: string) => string
  readonly faint: (text: string) => string
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
  return { status: (status, text) => byStatus[status]?.(text) ?? text, faint: dim, strong: bold }
}
