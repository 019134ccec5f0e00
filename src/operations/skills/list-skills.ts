import { defineOperation } from '../shared/operation.ts'
import { viewSkills } from './skill-view.ts'

/** Local: what is installed is a matter of this machine, and there are skills before there is a board. */
export const listSkills = defineOperation({
  name: 'skills list',
  kind: 'local',
  actor: 'orchestrator',
  scope: 'machine',
  summary: 'List the skills that cards can name here, and what is wrong with any.',
  schemas: ({ z, absolutePath, skillView }) => ({
    input: z.object({
      folder: absolutePath.nullable().default(null).describe('A folder whose repository counts too'),
    }),
    output: z.array(skillView).readonly(),
  }),
  run: async ({ options }, { folder }) => (await viewSkills(options.home, folder)).map(({ view }) => view),
})
