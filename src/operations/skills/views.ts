import * as z from 'zod'

/** A skill on this machine. */
export const skillView = z.object({
  name: z.string(),
  /** The description in the front matter. Null if there is none, or if the file cannot be read. */
  description: z.string().nullable(),
  /** `home`: available to every card. `repository`: available to cards that work in that repository. */
  from: z.enum(['home', 'repository']),
  folder: z.string(),
  isUsable: z.boolean(),
  /** Why the skill cannot be used. */
  problems: z.array(z.string()).readonly(),
  /** Defects that do not keep an agent from using the skill. */
  notes: z.array(z.string()).readonly(),
})
export type SkillView = z.infer<typeof skillView>
