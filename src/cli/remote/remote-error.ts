/**
 * Explains why a request to a server failed, and what the user can do. Other errors of the server keep their message.
 */
import { ClientError } from '../../client/index.ts'
import type { Client } from '../../client/index.ts'
import type { ServerChoice } from '../../config/load.ts'
import { BoardError, ERROR_CODES } from '../../core/errors.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { oneLine } from '../output/escape.ts'

export interface FailedServer {
  readonly url: string
  readonly server: ServerChoice
  readonly client: Pick<Client, 'ping'>
  /** The version of this command line. */
  readonly version: string
}

export async function explainFailure(error: unknown, server: FailedServer): Promise<unknown> {
  if (!(error instanceof ClientError)) return error
  if (error.code === 'server_unreachable') return unreachable(error, server)
  if (error.code === 'server_unsuitable') return notMuster(error, server)
  if (error.code === 'sign_in_required') return signInRequired(error, server)
  if (error.code === 'not_allowed' && typeof error.details['needs'] === 'string') return wrongScope(error)
  if (mayBeVersion(error)) {
    const other = await otherVersion(server)
    if (other !== null) return versionMismatch(error, server, other)
  }
  return asGiven(error)
}

const isKnown = (code: string): code is ErrorCode => code in ERROR_CODES

function asGiven(error: ClientError): BoardError {
  const code = isKnown(error.code) ? error.code : error.retryable ? 'server_unreachable' : 'internal'
  return new BoardError(code, error.message, { details: error.details, cause: error.cause })
}

const failure = (code: ErrorCode, message: string, { details, cause }: ClientError): BoardError =>
  new BoardError(code, message, { details, cause })

/**
 * Matches the code of a certificate error. The certificate is not valid for this address, or this machine does not
 * trust its issuer.
 */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)_/
const NOT_TLS = /^(ERR_SSL_|EPROTO)/
const UNKNOWN_HOST = /^(ENOTFOUND|EAI_)/

function unreachable(error: ClientError, { url, server: { from } }: FailedServer): BoardError {
  const reason = error.detail('reason') ?? ''
  if (CERTIFICATE.test(reason))
    return failure(
      'server_unsuitable',
      `The certificate of ${url} is not trusted (${reason}). If it is yours, set NODE_EXTRA_CA_CERTS to its file.`,
      error,
    )
  if (NOT_TLS.test(reason))
    return failure('server_unsuitable', `The server at ${url} does not use TLS. Write http:// in ${from}.`, error)
  if (UNKNOWN_HOST.test(reason))
    return failure('server_unreachable', `The host of ${url} is unknown. Check ${from}.`, error)
  if (reason === 'ECONNREFUSED')
    return failure(
      'server_unreachable',
      `No server runs at ${url}. Check ${from}, or start Muster on its machine with: muster up`,
      error,
    )
  const why = oneLine(error.message.replace(/^.*cannot be reached: /, '').replace(/\.$/, ''))
  return failure(
    'server_unreachable',
    `The connection to ${url} failed (${why}). Check ${from} and the network, and try again.`,
    error,
  )
}

const notMuster = (error: ClientError, { url, server: { from } }: FailedServer): BoardError =>
  failure(
    'server_unsuitable',
    `The server at ${url} does not answer as Muster${error.status === null ? '' : ` (status ${error.status})`}. Check ${from}.`,
    error,
  )

function signInRequired(error: ClientError, { url, server: { token } }: FailedServer): BoardError {
  const make = 'muster tokens create <name> --scope operate'
  const message =
    token === null
      ? `The server at ${url} needs a token. Create one on its machine with ${make}, and set MUSTER_API_TOKEN.`
      : `The server at ${url} does not accept the token in MUSTER_API_TOKEN. Create another on its machine: ${make}`
  return failure('sign_in_required', message, error)
}

function wrongScope(error: ClientError): BoardError {
  const { needs, has } = error.details
  const message = `This command needs a token with scope ${String(needs)}; MUSTER_API_TOKEN has ${String(has)}. Create one on the machine of the server: muster tokens create <name> --scope ${String(needs)}`
  return failure('not_allowed', message, error)
}

/**
 * Whether a different version of the server may be the cause. Such a server may not know a route or a field, or may
 * send an unknown error.
 */
const mayBeVersion = ({ code, message }: ClientError): boolean =>
  !isKnown(code) ||
  ['route_not_found', 'method_not_allowed', 'internal'].includes(code) ||
  (code === 'invalid_input' && message.includes('has no field'))

async function otherVersion({ client, version }: FailedServer): Promise<string | null> {
  const health = await client.ping().catch(() => null)
  return health === null || health.version === version ? null : health.version
}

const versionMismatch = (error: ClientError, { url, version }: FailedServer, other: string): BoardError =>
  failure(
    'server_unsuitable',
    `The server at ${url} runs Muster ${oneLine(other)}, which cannot do this; this is version ${version}. Install the same version on both machines.`,
    error,
  )
