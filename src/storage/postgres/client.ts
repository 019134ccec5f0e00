/** The driver, set up once: numbers for bigints, our schema in front, notices kept quiet. */
import postgres from 'postgres'
import { render } from '../sql.ts'
import type { Sql } from '../sql.ts'
import type { Row, Tx } from '../tx.ts'

export type Client = postgres.Sql<{ bigint: number }>

export interface ClientOptions {
  readonly url: string
  readonly schema: string
  readonly connections: number
  /** Every transaction of this client only reads, whatever it tries. */
  readonly readOnly: boolean
}

/** How long to wait for a server, in seconds: libpq's own `connect_timeout`, in the URL. */
export const connectSeconds = (url: string): number =>
  Number(new URL(url).searchParams.get('connect_timeout') ?? 0) || 10

export const connectClient = ({ url, schema, connections, readOnly }: ClientOptions): Client =>
  postgres(url, {
    max: connections,
    idle_timeout: 30,
    connect_timeout: connectSeconds(url),
    onnotice: () => undefined,
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    connection: {
      application_name: 'muster',
      search_path: schema,
      default_transaction_isolation: 'read committed',
      ...(readOnly ? { default_transaction_read_only: true } : {}),
      client_min_messages: 'warning',
    },
  })

/** A connection that statements can be sent through: the pool, or a transaction of it. */
export type Sender = Pick<Client, 'unsafe'>

export async function send(sender: Sender, statement: Sql): Promise<readonly Row[]> {
  return sender.unsafe(render(statement, '$'), [...statement.values], { prepare: true })
}

/** Runs a transaction body to its end, a round trip a statement. */
export async function drive<T>(sender: Sender, body: Tx<T>): Promise<T> {
  let step = body.next()
  while (!step.done) {
    let rows: readonly Row[]
    try {
      rows = await send(sender, step.value)
    } catch (error) {
      step = body.throw(error)
      continue
    }
    step = body.next(rows)
  }
  return step.value
}
