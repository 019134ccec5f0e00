import { unwrap } from '../../core/command.ts'
import { boardNow } from './board-view.ts'
import { defineOperation } from '../shared/operation.ts'

export const createBoard = defineOperation({
  name: 'boards create',
  kind: 'command',
  actor: 'person',
  scope: 'store',
  summary: 'Create a board; an existing one is not changed.',
  schemas: ({ z, settingsPatchSchema, line, slug, text, boardView }) => ({
    input: z.object({
      slug: slug.describe('Its short name: a-z, 0-9, _ and -'),
      name: line.nullable().default(null).describe('Its display name; null: derived from the slug'),
      description: text.default('').describe('What it is for'),
      settings: settingsPatchSchema.default({}).describe('Settings that differ from the defaults'),
    }),
    output: boardView.extend({
      /** False if the board existed; nothing was changed then. */
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
