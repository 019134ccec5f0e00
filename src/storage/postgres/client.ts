/**
 * Configures the driver: it returns bigints as numbers, uses the schema of the store as search path, and ignores
 * notices.
 */
import type { Socket } from 'node:net'
import postgres from 'postgres'
import { Sockets } from './socket.ts'
import type { Address } from './socket.ts'

export type Client = postgres.Sql<{ bigint: number }>

export interface ClientOptions {
  readonly url: string
  readonly schema: string
  readonly connections: number
  /** Whether every transaction is read-only, unless it begins with `read write`. */
  readonly readOnly: boolean
  /** Called when a connection of this client is closed. */
  readonly onClose?: () => void
  /** Called for every notification on a channel to which a connection of this client listens. */
  readonly onNotify?: () => void
  /** Called when a socket to the server is opened. */
  readonly onSocket?: (socket: Socket) => void
}

/** The timeout for connecting, in seconds. As in libpq, the value comes from `connect_timeout` in the URL. */
const connectSeconds = (url: string): number => Number(new URL(url).searchParams.get('connect_timeout') ?? 0) || 10

export const connectClient = (options: ClientOptions): Client => {
  const { url, schema, connections, readOnly, onClose, onNotify, onSocket } = options
  const address = addressOf(url)
  const sockets = new Sockets(address)
  const client = postgres(url, {
    max: connections,
    ...socketOptions(address, () => sockets.open(onSocket)),
    // The driver must never close a connection on its own. If it did so during a transaction, it would send the
    // remaining statements over a new connection, outside the transaction.
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: connectSeconds(url),
    // After connecting, the driver would query the array types, which Muster does not use. If the connection closed
    // during that query, the driver would end the process.
    fetch_types: false,
    onnotice: () => undefined,
    ...(onClose ? { onclose: onClose } : {}),
    // The types of the driver do not declare this option, but the `listen` function of the driver uses it.
    ...(onNotify ? { onnotify: onNotify } : {}),
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    connection: {
      application_name: 'muster',
      search_path: schema,
      default_transaction_isolation: 'read committed',
      ...(readOnly ? { default_transaction_read_only: true } : {}),
      client_min_messages: 'warning',
      // Decisions disable sequential scans, which makes some plans look so costly that the server would compile them.
      // The value is a text, because the driver leaves out false and 0.
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

/**
 * Gives the driver a socket from `Sockets`. The class `Sockets` chooses the host and encrypts the connection, so the
 * driver does neither.
 */
const socketOptions = ({ host, port }: Address, socket: () => Promise<Socket>) => ({
  socket,
  host: host[0] ?? '',
  port: port[0] ?? 0,
  ssl: false,
})

/** The types of the driver do not declare some options that it reads from the URL. */
function addressOf(url: string): Address {
  const { host, port, path, ssl, sslnegotiation } = postgres(url).options as unknown as Omit<Address, 'seconds'>
  return { host, port, path, ssl, sslnegotiation, seconds: connectSeconds(url) }
}
