/** Keeps the regular clean-up from logging the same event on a card every ten minutes. */
import type { EventData } from '../../core/event.ts'
import type { TaskId } from '../../core/ids.ts'
import type { Store } from '../../storage/store.ts'

/** Events after which the clean-up logs its own events again. */
const RESETS: readonly string[] = ['completed', 'approved', 'archived', 'unarchived', 'undeleted', 'reopened']

interface LoggedEvent<K extends keyof EventData> {
  readonly kind: K
  readonly data?: Partial<EventData[K]>
}

/** Whether this event was already logged since the card was finished. */
export async function isAlreadyLogged<K extends keyof EventData>(
  store: Pick<Store, 'taskEvents'>,
  { board, id }: { readonly board: string; readonly id: TaskId },
  { kind, data = {} }: LoggedEvent<K>,
): Promise<boolean> {
  for (const event of (await store.taskEvents(board, id)).toReversed()) {
    if (RESETS.includes(event.kind)) return false
    if (event.kind === kind) return Object.entries(data).every(([key, value]) => event.data[key] === value)
  }
  return false
}
