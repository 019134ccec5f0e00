import { awaitLog } from './await-log.ts'
import { followPieces } from './follow-pieces.ts'
import { logTexts } from './log-texts.ts'
import { defineOperation } from '../shared/operation.ts'

export const followLog = defineOperation({
  name: 'follow-log',
  kind: 'stream',
  actor: 'person',
  scope: 'card',
  summary: 'Show the output of a run, and follow new output until the run ends.',
  schemas: ({ z, runId, followFields }) => ({
    input: z.object(followFields),
    output: z.object({ run: runId, text: z.string() }),
  }),
  run: async function* (context, { tail, follow, ...asked }) {
    const found = await awaitLog(context, asked, follow)
    if (found === null) return
    const { run, path } = found
    const texts = await logTexts(path, tail)
    for await (const text of followPieces(context, { run: run.id, path, source: texts, follow }))
      if (text !== '') yield { run: run.id, text }
    const rest = texts.end()
    if (rest !== '') yield { run: run.id, text: rest }
  },
})
