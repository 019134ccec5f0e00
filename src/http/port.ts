/** The interface through which `muster up` starts the HTTP server. */
import type { ServerPort } from '../operations/machine/server-port.ts'
import { startServer } from './server.ts'

export const serverPort: ServerPort = { start: startServer }
