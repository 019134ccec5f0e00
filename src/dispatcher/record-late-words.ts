/** What processes of runs said after their supervisors were gone goes onto the record, once their runs are closed. */
import { RUN_ID } from '../core/ids.ts'
import type { RunId } from '../core/ids.ts'
import { dropLateWord, readLateWords } from '../workers/late-words.ts'
import { DISPATCHER } from './actor.ts'
import type { Leading } from './dispatching.ts'

/** In one pass. */
const MOST = 100

export async function recordLateWords({ store, options }: Leading): Promise<void> {
  for (const word of await readLateWords(options.home, MOST)) {
    const run = RUN_ID.test(word.run) ? await store.run(word.run as RunId) : null
    // Its run is about to be recovered, and is closed then.
    if (run !== null && run.endedAt === null) continue
    if (run !== null) {
      const input = { task: run.taskId, runId: run.id, verb: word.verb, content: word.content }
      const kept = await store.decide({ verb: 'keep_late', board: run.board, actor: DISPATCHER, input })
      if (!kept.ok && kept.error.retryable) continue
    }
    await dropLateWord(word)
  }
}
