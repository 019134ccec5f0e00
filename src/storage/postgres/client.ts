/** Configures the driver: bigints as numbers, the schema of the store as search path, notices ignored. */
import type { Socket } from 'node:net'
import postgres from 'postgres'
import type { Address } from './socket.ts'

export type Client = postgres.Sql<{ bigint: number }>

export interface ClientOptions {
  readonly url: string
  readonly schema: string
  readonly connections: number
  /** Only a transaction that begins with `read write` may write. */
  readonly readOnly: boolean
  /** Called when a connection of this client is closed. */
  readonly onClose?: () => void
  /** Called for every notification on a channel that one of its connections listens to. */
  readonly onNotify?: () => void
  /** Opens the socket to the server instead of the driver. */
  readonly openSocket?: (address: Address) => Promise<Socket>
}

/** The timeout for connecting, in seconds: `connect_timeout` in the URL, as in libpq. */
export const connectSeconds = (url: string): number =>
  Number(new URL(url).searchParams.get('connect_timeout') ?? 0) || 10

export const connectClient = (options: ClientOptions): Client => {
  const { url, schema, connections, readOnly, onClose, onNotify, openSocket } = options
  return postgres(url, {
    max: connections,
    ...(openSocket ? ownSocket(url, openSocket) : {}),
    // The driver must never close a connection on its own: it might do so during a transaction, and send the rest of
    // the statements over a new connection, outside of the transaction.
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: connectSeconds(url),
    // Only arrays need it, and Muster uses none. If the connection closed during this query, the process would end too.
    fetch_types: false,
    onnotice: () => undefined,
    ...(onClose ? { onclose: onClose } : {}),
    // The driver's types lack this option, but its own `listen` uses it.
    ...(onNotify ? { onnotify: onNotify } : {}),
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    connection: {
      application_name: 'muster',
      search_path: schema,
      default_transaction_isolation: 'read committed',
      ...(readOnly ? { default_transaction_read_only: true } : {}),
      client_min_messages: 'warning',
      // Decisions run without sequential scans, so some plans seem so costly that the server would compile them.
      // The value is text, because the driver leaves out false and 0.
      jit: 'off',
      // Pages are short. Parallel workers would read ahead and scan ten times as many cards as a page needs.
      max_parallel_workers_per_gather: '0',
    },
  })
}

/** With its own socket, the driver neither chooses a host nor encrypts: `openSocket` does both. */
function ownSocket(url: string, openSocket: NonNullable<ClientOptions['openSocket']>) {
  // The driver's types lack some of the options that it reads from the URL.
  const { host, port, path, ssl, sslnegotiation } = postgres(url).options as unknown as Omit<Address, 'seconds'>
  const address = { host, port, path, ssl, sslnegotiation, seconds: connectSeconds(url) }
  return { socket: () => openSocket(address), host: host[0] ?? '', port: port[0] ?? 0, ssl: false }
}
