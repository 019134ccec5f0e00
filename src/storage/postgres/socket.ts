/** Opens the socket to a server. The driver can open a socket too, but gives no access to this socket. */
import { once } from 'node:events'
import { connect, isIP } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ConnectionOptions } from 'node:tls'

/** The options that the driver reads from the URL and the environment. */
export interface Address {
  readonly host: readonly string[]
  readonly port: readonly number[]
  /** The path of a Unix socket. */
  readonly path?: string | false | undefined
  readonly ssl?: unknown
  /** The value `direct` starts TLS at once, without asking the server first. */
  readonly sslnegotiation?: unknown
  readonly seconds: number
}

/** The SSLRequest message: the length, and a code in place of the protocol version. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** The modes of `sslmode` that ask for encryption but do not verify the server's certificate. */
const UNVERIFIED = ['require', 'allow', 'prefer']

const serverClosed = (): Error =>
  Object.assign(new Error('the server closed the connection'), { code: 'CONNECTION_CLOSED' })

/**
 * The sockets of one client. A closed client gets no socket, because a driver that is still connecting would otherwise
 * keep the process alive. An open client gets at most one socket for each host, because the driver would otherwise
 * reconnect forever to a server that closes each new connection.
 */
export class Sockets {
  readonly #address: Address
  readonly #open = new Set<Socket>()
  readonly #closing = new AbortController()
  #attempts = 0

  constructor(address: Address) {
    this.#address = address
  }

  async open(onSocket?: (socket: Socket) => void): Promise<Socket> {
    if (this.#attempts >= this.#address.host.length) throw serverClosed()
    const socket = await openSocket(this.#address, this.#attempts++, this.#closing.signal)
    socket.once('close', () => this.#open.delete(socket))
    this.#open.add(socket)
    // The socket may have connected just before `close`.
    if (this.#closing.signal.aborted) socket.destroy()
    onSocket?.(socket)
    return socket
  }

  close(): void {
    this.#closing.abort()
    for (const socket of this.#open) socket.destroy()
  }
}

/** Tries the hosts in turn, starting with number `first`. If all fail, throws the error of the last host. */
async function openSocket(address: Address, first: number, closing: AbortSignal): Promise<Socket> {
  const { host, port, path } = address
  if (path) return openStream(address, { path }, closing)
  let failure: unknown
  for (let tried = 0; tried < host.length; tried += 1) {
    const at = (first + tried) % host.length
    try {
      return await openStream(address, { host: host[at] ?? '', port: port[at] ?? 0 }, closing)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

type Endpoint = { readonly path: string } | { readonly host: string; readonly port: number }

async function openStream(
  { ssl, sslnegotiation, seconds }: Address,
  endpoint: Endpoint,
  closing: AbortSignal,
): Promise<Socket> {
  const timeout = AbortSignal.timeout(seconds * 1000)
  const signal = AbortSignal.any([timeout, closing])
  const socket = connect({ ...endpoint, noDelay: true })
  try {
    await once(socket, 'connect', { signal })
    if (!ssl) return socket
    if (sslnegotiation !== 'direct' && !(await acceptsTls(socket, signal))) {
      if (ssl === 'prefer') return socket
      throw Object.assign(new Error('the server does not offer TLS'), { code: '08001' })
    }
    const secured = connectTls({ socket, ...tlsOptions(ssl, sslnegotiation, endpoint) })
    await once(secured, 'secureConnect', { signal })
    return secured
  } catch (error) {
    socket.destroy()
    throw timeout.aborted ? Object.assign(new Error('the server does not answer'), { code: 'CONNECT_TIMEOUT' }) : error
  }
}

async function acceptsTls(socket: Socket, signal: AbortSignal): Promise<boolean> {
  socket.write(TLS_REQUEST)
  const closed = once(socket, 'close', { signal }).then(() => {
    throw serverClosed()
  })
  const [answer] = (await Promise.race([once(socket, 'data', { signal }), closed])) as [Buffer]
  // The extra bytes may come from an attacker. The client would read them as if they had arrived encrypted
  // (CVE-2021-23222).
  if (answer.length !== 1) throw Object.assign(new Error('the server sent data before TLS'), { code: '08P01' })
  return answer.toString('latin1') === 'S'
}

function tlsOptions(ssl: unknown, sslnegotiation: unknown, endpoint: Endpoint): ConnectionOptions {
  return {
    ...('host' in endpoint && isIP(endpoint.host) === 0 ? { servername: endpoint.host } : {}),
    ...(sslnegotiation === 'direct' ? { ALPNProtocols: ['postgresql'] } : {}),
    ...(UNVERIFIED.includes(String(ssl)) ? { rejectUnauthorized: false } : {}),
    ...(typeof ssl === 'object' ? ssl : {}),
  }
}
