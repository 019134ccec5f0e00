import { join } from 'node:path'
import { unwrap } from '../../core/command.ts'
import { isTaskId } from '../../core/ids.ts'
import type { TaskId } from '../../core/ids.ts'
import { asideOf, moveAside, remove, weigh } from '../../workspaces/clear-away.ts'
import type { GarbageReport } from '../collect-garbage.schema.ts'
import { entriesOf, tryOn } from './round.ts'
import type { Round } from './round.ts'

/** Folders that the board made for cards which are archived and whose children are all finished. */
export async function clearWorkspaces(round: Round): Promise<GarbageReport['workspaces']> {
  const cleared: GarbageReport['workspaces'] = []
  for (const { slug } of round.boards) cleared.push(...(await clearBoard(round, slug)))
  return cleared
}

async function clearBoard(round: Round, board: string): Promise<GarbageReport['workspaces']> {
  const { folder, entries } = await entriesOf(round, 'boards', board, 'workspaces')
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const ids = await round.store.sweepable(board, names.filter(isTaskId))
  const cleared: GarbageReport['workspaces'] = []
  for (const name of [...names.filter((one) => asideOf(one) !== null), ...ids]) {
    const path = join(folder, name)
    const bytes = await weigh(path)
    if (!round.apply || (await tryOn(round, path, () => sweep(round, { board, folder, name }))))
      cleared.push({ path, bytes })
  }
  return cleared
}

/** The store first: from there on nobody starts in the folder, and it can go. What was cut off half-way is finished. */
async function sweep(
  { store, actor }: Round,
  { board, folder, name }: { board: string; folder: string; name: string },
): Promise<void> {
  const decide = (task: TaskId, stage: 'begin' | 'end') =>
    store.decide({ verb: 'sweep', board, actor, input: { task, stage } })
  const before = asideOf(name)
  if (before !== null) {
    // Its card may be gone by now; then nobody waits for the end either.
    if (isTaskId(before)) await decide(before, 'end')
    return remove(join(folder, name))
  }
  const task = name as TaskId
  unwrap(await decide(task, 'begin'))
  try {
    const aside = await moveAside(folder, task)
    unwrap(await decide(task, 'end'))
    await remove(aside)
  } catch (error) {
    await decide(task, 'end')
    throw error
  }
}
