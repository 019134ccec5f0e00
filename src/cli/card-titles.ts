/** The titles of the cards that events name. Each card is looked up once; a purged card has no title. */
import type { BoardEvent } from '../core/event.ts'
import type { TaskId } from '../core/ids.ts'
import type { Store } from '../storage/store.ts'

const KEPT = 1_000

export class CardTitles {
  readonly #store: Pick<Store, 'tasksByPrefix'>
  readonly #titles = new Map<TaskId, Promise<string | null>>()

  constructor(store: Pick<Store, 'tasksByPrefix'>) {
    this.#store = store
  }

  /** Null if the event names no card, or the card is unknown. */
  async titleFor({ taskId, kind }: Pick<BoardEvent, 'taskId' | 'kind'>): Promise<string | null> {
    if (taskId === null) return null
    // An edit may change the title.
    if (kind === 'edited' || kind === 'specified') this.#titles.delete(taskId)
    const known = this.#titles.get(taskId)
    if (known !== undefined) return known
    if (this.#titles.size >= KEPT) this.#titles.clear()
    const found = this.#lookUp(taskId)
    this.#titles.set(taskId, found)
    return found
  }

  /** A line without a title is better than no line, so errors are ignored here. */
  async #lookUp(id: TaskId): Promise<string | null> {
    try {
      const cards = await this.#store.tasksByPrefix(id, { deleted: true })
      return cards.find((card) => card.id === id)?.title ?? null
    } catch {
      this.#titles.delete(id)
      return null
    }
  }
}
