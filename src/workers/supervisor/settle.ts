/** Closes the run. Until this has happened the card is running and its place is taken, so it is tried until it works. */
import type { InputOf } from '../../core/transitions/index.ts'
import { harnessNamed } from '../harnesses/index.ts'
import type { Usage } from '../stream/entry.ts'
import { readLastWords } from '../stream/last-words.ts'
import type { Owned } from './owned.ts'
import { SUPERVISOR } from './owned.ts'
import { patiently } from './patiently.ts'

export type Ending = InputOf<'settle'>['ending']

/** What was heard of the agent itself; null where it does not tell. */
interface Told {
  readonly usage: Usage | null
  readonly said: string | null
}

export async function settleRun(
  { store, ticket, directory, fence, run }: Owned,
  ending: Ending,
  { usage, said }: Told,
): Promise<void> {
  const { board, task, completesOnExit, harness } = ticket
  const lastWords = said ?? (await readLastWords(directory.log, harnessNamed(harness)?.readLine ?? null))
  const settled = await patiently(() =>
    store.decide({
      verb: 'settle',
      board,
      actor: SUPERVISOR,
      input: {
        task,
        runId: fence.runId,
        by: { fence },
        ending,
        completesOnExit,
        lastWords,
        account: run.account,
        usage,
      },
    }),
  )
  // Superseded: somebody else has closed the run, and what we said is kept as an event.
  if (!settled.ok && settled.error.code !== 'run_superseded') throw settled.error
}
