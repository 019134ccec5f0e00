import { defineOperation } from '../shared/operation.ts'
import { viewSkills } from './skill-view.ts'

/**
 * Lists the skills. This operation is local, because skills are installed on a machine and exist before the first
 * board.
 */
export const listSkills = defineOperation({
  name: 'skills list',
  kind: 'local',
  actor: 'orchestrator',
  scope: 'machine',
  summary: 'List the skills on this machine, with any problems.',
  schemas: ({ z, absolutePath, skillView }) => ({
    input: z.object({
      folder: absolutePath.nullable().default(null).describe('A folder whose repository skills are included'),
    }),
    output: z.array(skillView).readonly(),
  }),
  run: async ({ options }, { folder }) => (await viewSkills(options.home, folder)).map(({ view }) => view),
})
