/** Records the statements of a store, and runs them again without the store's code. */
import { DatabaseSync } from '@photostructure/sqlite'
import { render } from '../../src/storage/sql.ts'
import type { SqlValue } from '../../src/storage/sql.ts'
import type { Connection } from '../../src/storage/sqlite/connection.ts'

/** `values` is null for statements that are not prepared, such as begin and commit. */
interface Sent {
  readonly text: string
  readonly values: readonly SqlValue[] | null
}

export function record(inner: Connection): { connection: Connection; take(): readonly Sent[] } {
  let sent: Sent[] = []
  const connection: Connection = {
    path: inner.path,
    file: inner.file,
    sqliteVersion: inner.sqliteVersion,
    get inTransaction() {
      return inner.inTransaction
    },
    exec(text) {
      sent.push({ text, values: null })
      inner.exec(text)
    },
    query(statement) {
      sent.push({ text: render(statement, '?'), values: statement.values })
      return inner.query(statement)
    },
    copyInto: (path) => inner.copyInto(path),
    close: () => inner.close(),
  }
  const take = (): readonly Sent[] => {
    const taken = sent
    sent = []
    return taken
  }
  return { connection, take }
}

/** Uses the same durable settings as a store and keeps prepared statements, but runs no other code of the store. */
export class RawReplay {
  readonly #database: InstanceType<typeof DatabaseSync>
  readonly #prepared = new Map<string, ReturnType<InstanceType<typeof DatabaseSync>['prepare']>>()

  constructor(path: string) {
    this.#database = new DatabaseSync(path)
    this.#database.exec(`
      pragma synchronous = full;
      pragma fullfsync = on;
      pragma secure_delete = on;
      pragma cell_size_check = on;
      pragma foreign_keys = on;
      pragma journal_size_limit = 67108864;
      pragma temp_store = memory;`)
  }

  /** Skips `pragma data_version`, which the store uses to notice changes by other processes. */
  replay(sent: readonly Sent[]): void {
    for (const { text, values } of sent) {
      if (values === null) this.#database.exec(text)
      else if (!text.startsWith('pragma')) this.#prepare(text).all(...values)
    }
  }

  #prepare(text: string) {
    const known = this.#prepared.get(text)
    if (known) return known
    const made = this.#database.prepare(text)
    this.#prepared.set(text, made)
    return made
  }

  close(): void {
    this.#prepared.clear()
    this.#database.close()
  }
}
