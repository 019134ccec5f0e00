/** Reads the values of a stream, one JSON value per line. An error after the first value is in the last line. */
import { errorOfProblem } from './client-error.ts'
import { readLines } from './read-lines.ts'
import type { ClientRequest, Transport } from './transport.ts'

export async function* streamValues(transport: Transport, makeRequest: () => ClientRequest): AsyncGenerator<unknown> {
  const request = makeRequest()
  const response = await transport.send(request)
  const lines = readLines(response)
  try {
    for await (const line of lines) {
      const value = transport.parse(line, response.status)
      const error = errorOfProblem((value as { readonly error?: unknown } | null)?.error)
      if (error !== null) throw error
      yield value
    }
  } catch (error) {
    if (request.signal?.aborted === true || !(error instanceof TypeError)) throw error
    throw transport.brokenOff(error)
  }
}
