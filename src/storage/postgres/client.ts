/** Configures the driver: bigints as numbers, the schema of the store as search path, notices ignored. */
import type { Socket } from 'node:net'
import postgres from 'postgres'
import { Sockets } from './socket.ts'
import type { Address } from './socket.ts'

export type Client = postgres.Sql<{ bigint: number }>

export interface ClientOptions {
  readonly url: string
  readonly schema: string
  readonly connections: number
  /** If true, only a transaction that begins with `read write` may write. */
  readonly readOnly: boolean
  /** Called when a connection of this client is closed. */
  readonly onClose?: () => void
  /** Called for every notification on a channel that one of its connections listens to. */
  readonly onNotify?: () => void
  /** Called when a socket to the server is opened. */
  readonly onSocket?: (socket: Socket) => void
}

/** The timeout for connecting, in seconds: `connect_timeout` in the URL, as in libpq. */
const connectSeconds = (url: string): number => Number(new URL(url).searchParams.get('connect_timeout') ?? 0) || 10

export const connectClient = (options: ClientOptions): Client => {
  const { url, schema, connections, readOnly, onClose, onNotify, onSocket } = options
  const address = addressOf(url)
  const sockets = new Sockets(address)
  const client = postgres(url, {
    max: connections,
    ...socketOptions(address, () => sockets.open(onSocket)),
    // The driver must never close a connection on its own: it might do so during a transaction, and send the rest of
    // the statements over a new connection, outside of the transaction.
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: connectSeconds(url),
    // The driver would query the array types after it connects, but Muster uses no arrays. If the connection closed
    // during that query, the driver would end the process.
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
      // Decisions disable sequential scans. That makes some plans look so costly that the server would compile them.
      // The value is text, because the driver leaves out false and 0.
      jit: 'off',
      // Pages are short. Parallel workers would read ahead and scan ten times as many cards as a page needs.
      max_parallel_workers_per_gather: '0',
    },
  })
  const endDriver = client.end.bind(client)
  return Object.assign(client, {
    end: (how?: { timeout?: number }) => endDriver(how).finally(() => sockets.close()),
  })
}

/** Gives the driver a socket from `Sockets`, which chooses the host and encrypts. The driver then does neither. */
const socketOptions = ({ host, port }: Address, socket: () => Promise<Socket>) => ({
  socket,
  host: host[0] ?? '',
  port: port[0] ?? 0,
  ssl: false,
})

/** The driver's types lack some of the options that it reads from the URL. */
function addressOf(url: string): Address {
  const { host, port, path, ssl, sslnegotiation } = postgres(url).options as unknown as Omit<Address, 'seconds'>
  return { host, port, path, ssl, sslnegotiation, seconds: connectSeconds(url) }
}
