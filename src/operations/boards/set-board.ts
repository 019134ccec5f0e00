import { changeBoard } from './change-board.ts'
import { defineOperation } from '../shared/operation.ts'

export const setBoard = defineOperation({
  name: 'boards set',
  kind: 'command',
  actor: 'person',
  scope: 'board',
  summary: 'Change the settings of a board.',
  schemas: ({ z, settingsPatchSchema, slug, text, boardView }) => ({
    input: z.object({
      slug: slug.describe('The board'),
      description: text.nullable().default(null).describe('The purpose of the board; null: unchanged'),
      settings: settingsPatchSchema.default({}).describe('The settings to change'),
    }),
    output: boardView.extend({
      /** The names of the changed settings. */
      changed: z.array(z.string()),
    }),
  }),
  run: (context, { slug, description, settings }) =>
    changeBoard(context, slug, { settings, ...(description === null ? {} : { description }) }),
})
