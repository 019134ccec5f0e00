import { unwrap } from '../../core/command.ts'
import { boardNow } from './board-view.ts'
import { defineOperation } from '../shared/operation.ts'

export const createBoard = defineOperation({
  name: 'boards create',
  kind: 'command',
  actor: 'person',
  scope: 'store',
  summary: 'Create a board; an existing board is not changed.',
  schemas: ({ z, settingsPatchSchema, line, slug, text, boardView }) => ({
    input: z.object({
      slug: slug.describe('The short name of the board: a-z, 0-9, _ and -'),
      name: line.nullable().default(null).describe('The display name of the board; null: derived from the slug'),
      description: text.default('').describe('What it is for'),
      settings: settingsPatchSchema.default({}).describe('Settings that differ from the defaults'),
    }),
    output: boardView.extend({
      /** Whether the board was created. An existing board is not changed. */
      created: z.boolean(),
    }),
  }),
  run: async (context, { slug, name, description, settings }) => {
    const { store, actor } = context
    const input = { slug, description, settings, ...(name === null ? {} : { name }) }
    const { created } = unwrap(await store.decide({ verb: 'create_board', board: slug, actor, input }))
    return { ...(await boardNow(context, slug)), created }
  },
})
