import { PHASES } from '../../core/vocabulary.ts'
import { findLog } from './find-log.ts'
import { logTexts } from './log-texts.ts'
import { defineOperation } from '../shared/operation.ts'

export const readLog = defineOperation({
  name: 'log',
  kind: 'query',
  actor: 'person',
  scope: 'card',
  summary: 'Show the output of the latest run of a card, or of another run.',
  schemas: ({ z, runId, text, logFields }) => ({
    input: z.object(logFields),
    output: z.object({
      run: runId,
      attempt: z.int().min(1),
      phase: z.enum(PHASES),
      path: text,
      /** The output. Bytes that are not valid UTF-8 are replaced. */
      text: z.string(),
      /** Whether output is missing, before this part or in the middle. */
      truncated: z.boolean(),
    }),
  }),
  run: async ({ store, options }, { tail, ...asked }) => {
    const { run, path } = await findLog(store, asked, options)
    const texts = await logTexts(path, tail)
    let text = ''
    for (let more = await texts.next(); more !== null; more = await texts.next()) text += more
    text += texts.end()
    return { run: run.id, attempt: run.attempt, phase: run.phase, path, text, truncated: texts.isCut() }
  },
})
