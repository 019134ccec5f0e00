import type { Status } from '../../../src/core/vocabulary.ts'

/** The hues of states. `failed` is not a status, because a card in any status may have failed. */
export type Hue = 'waiting' | 'running' | 'review' | 'blocked' | 'failed' | 'done'

const HUES: Readonly<Record<Status, Hue>> = {
  triage: 'waiting',
  todo: 'waiting',
  scheduled: 'waiting',
  ready: 'waiting',
  running: 'running',
  review: 'review',
  blocked: 'blocked',
  done: 'done',
  archived: 'waiting',
}

export const hueOf = (status: Status): Hue => HUES[status]
