import { ClientError } from '../../../src/client/index.ts'

export const isSignedOut = (error: unknown): boolean =>
  error instanceof ClientError && error.code === 'sign_in_required'

/**
 * The error for a command while the connection is lost. The command is not sent, because the page could not show its
 * result.
 */
export const notConnected = (): ClientError =>
  new ClientError('server_unreachable', 'The connection to the server is lost.', { status: null, retryable: true })

export const asClientError = (error: unknown): ClientError =>
  error instanceof ClientError ? error : new ClientError('internal', String(error), { status: null, cause: error })
