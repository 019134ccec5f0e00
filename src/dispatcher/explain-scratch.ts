/** Explains once, when the first card uses a scratch folder, that these folders are temporary. */
import { access, realpath } from 'node:fs/promises'
import { writeFile } from '../util/guarded-files.ts'
import { inHome } from '../config/home.ts'
import type { Task } from '../core/task.ts'
import { DISPATCHER_ACTOR } from '../core/actor.ts'
import type { LeaderContext } from './dispatch-context.ts'

/**
 * Returns the notice if Muster has not shown it yet. The store records that the notice was shown. A file in the data
 * folder caches this record, so that later starts need not query the store. If an error occurs, the card starts anyway,
 * and the next card tries again.
 */
export async function explainScratch({ store, options, leadership }: LeaderContext, task: Task): Promise<string[]> {
  if (task.workspace.kind !== 'scratch') return []
  const { home } = options
  try {
    if (await exists(inHome.scratchExplained(home))) return []
    const input = { task: task.id, install: `${leadership.machine} ${JSON.stringify(await realpath(home))}` }
    const outcome = await store.decide({ verb: 'explain_scratch', board: task.board, actor: DISPATCHER_ACTOR, input })
    if (!outcome.ok) return []
    await writeFile(inHome.scratchExplained(home), '', { mode: 0o600 }).catch(() => {})
    return outcome.result.notice === null ? [] : [outcome.result.notice]
  } catch {
    return []
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
