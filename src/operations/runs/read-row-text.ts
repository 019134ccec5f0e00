import { BoardError } from '../../core/errors.ts'
import { cut } from '../../core/text.ts'
import { defineOperation } from '../shared/operation.ts'
import { currentTranscript } from './read-rows.ts'

/** The maximum length of the text. The log has the whole text. */
const LENGTH_MAX = 2 * 1024 * 1024

export const readRowText = defineOperation({
  name: 'transcript-text',
  kind: 'query',
  actor: 'person',
  scope: 'card',
  summary: 'Show the whole text of a row of a transcript.',
  schemas: ({ z, cardRef, count, runField, rowPart, ROW_FILTERS }) => ({
    input: z.object({
      task: cardRef,
      ...runField,
      row: z.int().min(0).describe('The number of the row'),
      part: rowPart.default('output'),
      show: z.enum(ROW_FILTERS).default('all'),
    }),
    output: z.object({ text: z.string(), length: count, isWhole: z.boolean() }),
  }),
  run: async ({ store, options }, { row: n, part, ...asked }) => {
    const { log } = await currentTranscript(store, asked, options)
    const text = await log.textOf(n, part)
    if (text === null)
      throw new BoardError('invalid_input', `Row ${n} of the transcript has no ${part}.`, { details: { field: 'row' } })
    return { text: cut(text, LENGTH_MAX), length: text.length, isWhole: text.length <= LENGTH_MAX }
  },
})
