/** The interface through which `muster up` starts the HTTP server. */
import type { ServerPort } from '../operations/machine/server-port.ts'
import { startServer } from './server.ts'

/** Makes the port. `siteFolder` contains the built dashboard. */
export const makeServerPort = (siteFolder: string): ServerPort => ({
  start: (target, address) => startServer(target, address, siteFolder),
})
