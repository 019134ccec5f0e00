/** The HTTP server as `muster up` sees it; the entry program provides it. */
import type { Environment } from '../../config/environment.ts'
import type { Options } from '../../config/load.ts'
import type { Store } from '../../storage/store.ts'
import type { CheckPort } from '../../supervisor/checks/port.ts'
import type { AnyOperation } from '../shared/perform.ts'
import type { DispatchPort } from './dispatch-port.ts'

/** An assistant that calls tools over HTTP. */
export interface RemoteAssistant {
  readonly store: Store
  readonly options: Options
  readonly board: string
  /** The name of its token. */
  readonly name: string
  /** Throws if the assistant's token may not run the operation. */
  readonly authorize: (operation: AnyOperation) => void
}

/** Answers requests of the Model Context Protocol over HTTP. */
export interface ToolsPort {
  answer(request: Request, assistant: RemoteAssistant): Promise<Response>
}

export interface ServeTarget {
  readonly store: Store
  readonly options: Options
  readonly env: Environment
  readonly version: string
  readonly dispatcher: () => Promise<DispatchPort>
  readonly checker?: () => Promise<CheckPort>
  /** If absent, the server has no tools for assistants. */
  readonly tools?: () => Promise<ToolsPort>
  readonly commandLine?: readonly string[]
}

export interface ServeAddress {
  readonly host: string
  /** The port that the user asked for; 0 takes any free port. Null: the default port, or a free one near it. */
  readonly port: number | null
  /** Paths of the certificate and its key. */
  readonly tls: { readonly cert: string; readonly key: string } | null
  /** Whether other machines may connect without TLS. */
  readonly insecure: boolean
}

export interface RunningServer {
  readonly url: string
  /** Why it does not have the default port; null if it has the port that was asked for. */
  readonly notice: string | null
  /** Makes a link that signs in one browser, once. */
  makeLink(): string
  /** Takes no new requests, ends streams, and returns when the open requests are answered. */
  stop(): Promise<void>
}

export interface ServerPort {
  start(target: ServeTarget, address: ServeAddress): Promise<RunningServer>
}

export const DEFAULT_PORT = 6878
