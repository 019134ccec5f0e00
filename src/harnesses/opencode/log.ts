/** Reads errors that OpenCode reports only in its log. With the option `PRINTS_LOG`, OpenCode prints this log. */
import type { Entry } from '../stream/entry.ts'
import { LIMITED, TOO_LONG, makeFailure, retryTimeIn } from '../stream/failure-kind.ts'

export const PRINTS_LOG = ['--print-logs', '--log-level', 'ERROR'] as const

export function loggedByOpencode(line: string): readonly Entry[] {
  if (!isError(line)) return []
  if (isRefusalLine(line)) return retried(quoted(line, 'error.error'))
  // For an error that the stream calls unexpected, such as an unknown model, the log has the cause.
  return / message=failed ref=/.test(line)
    ? [{ kind: 'failed', failure: makeFailure('other', quoted(line, 'error')) }]
    : []
}

/** When OpenCode runs over ACP, only its log shows that it shortens a conversation that is too long. */
export function overflowLogged(line: string): readonly Entry[] {
  const message = isError(line) && isRefusalLine(line) ? quoted(line, 'error.error') : ''
  return TOO_LONG.test(message) ? [{ kind: 'failed', failure: makeFailure('context_overflow', message) }] : []
}

const isError = (line: string): boolean => /^timestamp=\S+ level=ERROR /.test(line)
/**
 * Whether the line reports a refused request. Errors of the small model are ignored: OpenCode uses this model for
 * titles, and it may have other limits.
 */
const isRefusalLine = (line: string): boolean => {
  const [, details] = line.split(' message="stream error" ', 2)
  return details !== undefined && /\bsmall=false\b/.test(details)
}

/** The text decides the kind of failure, because the line quotes the model's server without its status. */
const retried = (message: string): readonly Entry[] =>
  LIMITED.test(message) ? [{ kind: 'waits', failure: makeFailure('rate_limited', message, retryTimeIn(message)) }] : []

const quoted = (line: string, name: string): string =>
  new RegExp(` ${name}="((?:[^"\\\\]|\\\\.)*)"`).exec(line)?.[1] ?? ''
