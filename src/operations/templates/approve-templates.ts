import { BoardError } from '../../core/errors.ts'
import { approveTemplateFiles, findTemplates } from '../../templates/find-templates.ts'
import { defineOperation } from '../shared/operation.ts'
import { viewTemplate } from './view-template.ts'

/** Approves template files. Each file is read only once, so the approved text is exactly the text that was shown. */
export const approveTemplates = defineOperation({
  name: 'templates approve',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Show the templates that a repository defines, and approve them.',
  schemas: ({ z, absolutePath, templateDetails }) => ({
    input: z.object({
      folder: absolutePath.describe('The repository'),
      yes: z.boolean().default(false).describe('Approve the templates as they are now'),
    }),
    output: z.array(templateDetails).readonly(),
  }),
  run: async ({ options: { home } }, { folder, yes }) => {
    const { templates, repository, faults } = await findTemplates(home, folder)
    const found = templates.filter(({ from }) => from === 'repository')
    if (repository === null || found.length === 0)
      throw new BoardError(
        'invalid_input',
        [...faults, `${folder} defines no templates. Add template files to ${folder}/.muster/templates.`].join(' '),
        { details: { field: 'folder' } },
      )
    const sound = found.filter(({ template }) => template !== null)
    if (yes) await approveTemplateFiles(home, sound)
    return found.map((one) => ({
      ...viewTemplate({ ...one, isApproved: one.isApproved || (yes && one.template !== null) }),
      text: one.text,
    }))
  },
})
