import * as z from 'zod'

/** A skill as it stands on this machine. */
export const skillView = z.object({
  name: z.string(),
  /** What it is for, as its head says; null: it says nothing, or cannot be read. */
  description: z.string().nullable(),
  /** Whose it is: of the home, for every card, or of a repository, for cards that work there. */
  from: z.enum(['home', 'repository']),
  folder: z.string(),
  isUsable: z.boolean(),
  /** Why it cannot be used. */
  problems: z.array(z.string()).readonly(),
  /** What may be mended: an agent is told its text all the same. */
  notes: z.array(z.string()).readonly(),
})
export type SkillView = z.infer<typeof skillView>
