/** Finds the titles of the cards that events name. Each card is read once. A removed card has no title. */
import type { BoardEvent } from '../core/event.ts'
import type { TaskId } from '../core/ids.ts'
import { showTask } from '../operations/cards/show-task.ts'
import type { Store } from '../storage/store.ts'
import type { Invocation } from './invocation.ts'

const KEPT = 1_000

export class CardTitles {
  readonly #find: (id: TaskId) => Promise<string | null>
  readonly #titles = new Map<TaskId, Promise<string | null>>()

  constructor(find: (id: TaskId) => Promise<string | null>) {
    this.#find = find
  }

  static async of(cli: Invocation): Promise<CardTitles> {
    if (cli.remote !== null) return new CardTitles(async (task) => (await cli.ask(showTask, { task })).title)
    return CardTitles.in((await cli.board('read')).store)
  }

  static in(store: Pick<Store, 'tasksByPrefix'>): CardTitles {
    return new CardTitles(async (id) => {
      const cards = await store.tasksByPrefix(id, { deleted: true })
      return cards.find((card) => card.id === id)?.title ?? null
    })
  }

  /** The title of an event's card. Returns null if the event names no card, or the card is unknown. */
  async titleFor({ taskId, kind }: Pick<BoardEvent, 'taskId' | 'kind'>): Promise<string | null> {
    if (taskId === null) return null
    // An edit may change the title, so the stored title is deleted.
    if (kind === 'edited' || kind === 'specified') this.#titles.delete(taskId)
    const known = this.#titles.get(taskId)
    if (known !== undefined) return known
    if (this.#titles.size >= KEPT) this.#titles.clear()
    const found = this.#lookUp(taskId)
    this.#titles.set(taskId, found)
    return found
  }

  /** Reads the title of a card. Errors are ignored, because a line without a title is better than no line. */
  async #lookUp(id: TaskId): Promise<string | null> {
    try {
      return await this.#find(id)
    } catch {
      this.#titles.delete(id)
      return null
    }
  }
}
