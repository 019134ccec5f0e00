/** The interface of the HTTP server for `muster up`. The entry program provides the implementation. */
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
  /** The name of the token with which the assistant signs in. */
  readonly name: string
  /** Throws an error if the assistant's token may not run the operation. */
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
  /** The tools for assistants. If this is absent, the server has no such tools. */
  readonly tools?: () => Promise<ToolsPort>
  readonly commandLine?: readonly string[]
}

export interface ServeAddress {
  readonly host: string
  /** The port that the user chose. 0 means any free port. Null means the default port, or a free port near it. */
  readonly port: number | null
  /** The paths of the certificate and of its key. */
  readonly tls: { readonly cert: string; readonly key: string } | null
  /** Whether other machines may connect without TLS. */
  readonly insecure: boolean
}

export interface RunningServer {
  readonly url: string
  /**
   * The reason why the server does not have the default port. Null means that the server has the default port or the
   * port that the user chose.
   */
  readonly notice: string | null
  /** Makes a link that signs in one browser and works only once. */
  readonly makeLink: () => string
  /** Stops accepting requests and ends streams. Returns when the open requests are answered. */
  readonly stop: () => Promise<void>
}

export interface ServerPort {
  start(target: ServeTarget, address: ServeAddress): Promise<RunningServer>
}

export const DEFAULT_PORT = 6878
