/**
 * The systems that have led under one machine id, latest first. A system is one boot of a machine, or one container.
 *
 * A restart makes a new system, and the old system never leads again. So if a system finds that another system has led
 * later, a second machine has the same id. Passes that cron starts hold no lease between them, so only this record shows
 * the second machine.
 *
 * The later leader keeps leading while it is alive. The other system is refused, and the record notes the refusal. Each
 * pass of the leader clears that note. If the refused system finds its note again, the leader has made no pass since,
 * and the refused system takes over.
 */
import * as z from 'zod'

export const leaderSchema = z.object({
  system: z.string(),
  hostname: z.string().nullable(),
  pid: z.number(),
  /** Whether this system was refused since the latest leader's last pass. */
  refused: z.boolean(),
})
export type PastLeader = Readonly<z.infer<typeof leaderSchema>>

const KEPT_LEADERS = 16

/** The other machine that has led after this system; null if this system may lead. */
export function findLaterLeader(leaders: readonly PastLeader[], system: string): PastLeader | null {
  const [latest] = leaders
  const own = leaders.find((one) => one.system === system)
  if (latest === undefined || own === undefined || own === latest || own.refused) return null
  return latest
}

/** The record after a pass of this system. */
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

/** The record after this system was refused. */
export const recordRefusal = (leaders: readonly PastLeader[], system: string): readonly PastLeader[] =>
  leaders.map((one) => (one.system === system ? { ...one, refused: true } : one))
