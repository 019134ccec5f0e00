import * as z from 'zod'

/** A skill on this machine. */
export const skillView = z.object({
  name: z.string(),
  /**
   * The description in the front matter. Null means that the description is missing, or that the file cannot be read.
   */
  description: z.string().nullable(),
  /**
   * `home` means that every card can use the skill. `repository` means that only cards in that repository can use it.
   */
  from: z.enum(['home', 'repository']),
  folder: z.string(),
  isUsable: z.boolean(),
  /** The reasons why the skill cannot be used. */
  problems: z.array(z.string()).readonly(),
  /** Faults that do not keep an agent from using the skill. */
  notes: z.array(z.string()).readonly(),
})
export type SkillView = z.infer<typeof skillView>
