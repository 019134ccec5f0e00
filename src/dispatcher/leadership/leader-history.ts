/**
 * Detects a second machine with the same id, from a record of the systems that were active under this id, latest first.
 * A system is one boot of a machine, or one container. After a restart, the old system never becomes active again. So
 * if another system was active after this one, a second machine has the same id. A dispatcher that cron starts holds no
 * lease between its passes, so only this record reveals the second machine. The later system stays active while it is
 * alive; the other one is refused, and the record notes the refusal. Each pass of the active system deletes the note.
 * If the refused system finds its note again, the active system has made no pass since, so the refused system takes
 * over.
 */
import * as z from 'zod'

export const leaderSchema = z.object({
  system: z.string(),
  hostname: z.string().nullable(),
  pid: z.number(),
  /** Whether this system was refused and the active system has made no pass since then. */
  refused: z.boolean(),
})
export type PastLeader = Readonly<z.infer<typeof leaderSchema>>

const KEPT_LEADERS = 16

/** The machine that was active after this system. Null means that this system may become active. */
export function findLaterLeader(leaders: readonly PastLeader[], system: string): PastLeader | null {
  const [latest] = leaders
  const own = leaders.find((one) => one.system === system)
  if (latest === undefined || own === undefined || own === latest || own.refused) return null
  return latest
}

/** Returns the record after a pass of this system. */
export const recordLeader = (
  leaders: readonly PastLeader[],
  own: Omit<PastLeader, 'refused'>,
): readonly PastLeader[] => [
  { ...own, refused: false },
  ...leaders
    .filter(({ system }) => system !== own.system)
    .map((one) => ({ ...one, refused: false }))
    .slice(0, KEPT_LEADERS - 1),
]

/** Returns the record after this system was refused. */
export const recordRefusal = (leaders: readonly PastLeader[], system: string): readonly PastLeader[] =>
  leaders.map((one) => (one.system === system ? { ...one, refused: true } : one))
