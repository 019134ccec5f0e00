/** People learn once that scratch folders are temporary: when the first card of this home is about to work in one. */
import { access, realpath } from 'node:fs/promises'
import { writeFile } from '../util/guarded-files.ts'
import { inHome } from '../config/home.ts'
import type { Task } from '../core/task.ts'
import { DISPATCHER } from './actor.ts'
import type { LeaderContext } from './dispatch-context.ts'

/**
 * What to say, if it was not said yet. The store knows whether it was; the file only spares every later start the
 * question. Whatever goes wrong, the card starts, and the next one asks again.
 */
export async function explainScratch({ store, options, leadership }: LeaderContext, task: Task): Promise<string[]> {
  if (task.workspace.kind !== 'scratch') return []
  const { home } = options
  try {
    if (await isThere(inHome.scratchExplained(home))) return []
    const input = { task: task.id, install: `${leadership.machine} ${JSON.stringify(await realpath(home))}` }
    const outcome = await store.decide({ verb: 'explain_scratch', board: task.board, actor: DISPATCHER, input })
    if (!outcome.ok) return []
    await writeFile(inHome.scratchExplained(home), '', { mode: 0o600 }).catch(() => {})
    return outcome.result.notice === null ? [] : [outcome.result.notice]
  } catch {
    return []
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
