/** The driver, set up once: numbers for bigints, our schema in front, notices kept quiet. */
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
  /** Told whenever a connection of this client is gone. */
  readonly onClose?: () => void
  /** Told of every notice on a channel that one of its connections listens to. */
  readonly onNotify?: () => void
  /** Opens the stream to the server, in place of the driver. */
  readonly openSocket?: (address: Address) => Promise<Socket>
}

/** How long to wait for a server, in seconds: libpq's own `connect_timeout`, in the URL. */
export const connectSeconds = (url: string): number =>
  Number(new URL(url).searchParams.get('connect_timeout') ?? 0) || 10

export const connectClient = (options: ClientOptions): Client => {
  const { url, schema, connections, readOnly, onClose, onNotify, openSocket } = options
  return postgres(url, {
    max: connections,
    ...(openSocket ? ownSocket(url, openSocket) : {}),
    // The driver must never hang up by itself: it would do so in the middle of a transaction, and send the rest of it
    // over a new connection, outside of any.
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: connectSeconds(url),
    // Only arrays need it, and we have none. A connection that is ended while it asks would end the process with it.
    fetch_types: false,
    onnotice: () => undefined,
    ...(onClose ? { onclose: onClose } : {}),
    // Not in the driver's types, though its own `listen` is made of it.
    ...(onNotify ? { onnotify: onNotify } : {}),
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    connection: {
      application_name: 'muster',
      search_path: schema,
      default_transaction_isolation: 'read committed',
      ...(readOnly ? { default_transaction_read_only: true } : {}),
      client_min_messages: 'warning',
      // Decisions forbid sequential scans, which makes plans look so costly that the server would compile each of them.
      // As text: the driver leaves out what is false or 0.
      jit: 'off',
      // Pages are short. Workers that read ahead for one would scan ten times the cards that it needs.
      max_parallel_workers_per_gather: '0',
    },
  })
}

/** The driver then neither chooses a host nor encrypts: the socket comes from the right host, encrypted if it must be. */
function ownSocket(url: string, openSocket: NonNullable<ClientOptions['openSocket']>) {
  // The types of the driver leave out some of what it read from the URL.
  const { host, port, path, ssl, sslnegotiation } = postgres(url).options as unknown as Omit<Address, 'seconds'>
  const address = { host, port, path, ssl, sslnegotiation, seconds: connectSeconds(url) }
  return { socket: () => openSocket(address), host: host[0] ?? '', port: port[0] ?? 0, ssl: false }
}
