/** Aborts a response that cannot be completed. */
import type { Context } from 'hono'
import type { HttpEnv } from './parts.ts'

/**
 * Aborts an incomplete response. The status is already sent, so only a broken connection shows the client that
 * something is missing.
 */
export type CutOff = (controller: Pick<ReadableStreamDefaultController, 'error'>) => void

/**
 * Destroys the connection. An error of the stream would also do that, but it would print a stack trace in the terminal
 * of `muster up`.
 */
export const cutOffOf =
  ({ env }: Pick<Context<HttpEnv>, 'env'>): CutOff =>
  (controller) => {
    const socket = (env as HttpEnv['Bindings'] | undefined)?.incoming?.socket
    if (socket === undefined) controller.error(new Error('the stream was cut off'))
    else socket.destroy()
  }
