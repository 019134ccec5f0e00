import { defineOperation } from '../shared/operation.ts'
import { requireTemplate, viewTemplate } from './view-template.ts'

export const showTemplate = defineOperation({
  name: 'templates show',
  kind: 'local',
  actor: 'orchestrator',
  scope: 'machine',
  summary: 'Show a template with its variables.',
  schemas: ({ z, absolutePath, templateDetails }) => ({
    input: z.object({
      template: z.string().describe('The name of a template'),
      folder: absolutePath.nullable().default(null).describe('Also search the repository of this folder'),
    }),
    output: templateDetails,
  }),
  run: async ({ options: { home } }, { template, folder }) => {
    const found = await requireTemplate(home, folder, template)
    return { ...viewTemplate(found), text: found.text }
  },
})
