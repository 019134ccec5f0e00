/** Ends a response that is not complete. */
import type { Context } from 'hono'
import type { HttpEnv } from './parts.ts'

/**
 * Ends a response that is not complete. Only a broken connection shows this to the client, because the status is
 * already sent.
 */
export type CutOff = (controller: Pick<ReadableStreamDefaultController, 'error'>) => void

/**
 * Destroys the connection. An error of the stream would destroy the connection too, but it would also print a stack on
 * the terminal of `muster up`.
 */
export const cutOffOf =
  ({ env }: Pick<Context<HttpEnv>, 'env'>): CutOff =>
  (controller) => {
    const socket = (env as HttpEnv['Bindings'] | undefined)?.incoming?.socket
    if (socket === undefined) controller.error(new Error('the stream was cut off'))
    else socket.destroy()
  }
