import { findTemplates } from '../../templates/find-templates.ts'
import { defineOperation } from '../shared/operation.ts'
import { viewTemplate } from './view-template.ts'

export const listTemplates = defineOperation({
  name: 'templates list',
  kind: 'local',
  actor: 'orchestrator',
  scope: 'machine',
  summary: 'List the templates of card graphs.',
  schemas: ({ z, absolutePath, templateView }) => ({
    input: z.object({
      folder: absolutePath
        .nullable()
        .default(null)
        .describe('Also list the templates of the repository of this folder'),
    }),
    output: z.array(templateView).readonly(),
  }),
  run: async ({ options: { home } }, { folder }) => (await findTemplates(home, folder)).templates.map(viewTemplate),
})
