/** Reads errors that OpenCode reports only in its log, which it prints with `PRINTS_LOG`. */
import type { Entry } from '../stream/entry.ts'
import { LIMITED, TOO_LONG, makeFailure, retryTimeIn } from '../stream/failure-kind.ts'

export const PRINTS_LOG = ['--print-logs', '--log-level', 'ERROR'] as const

export function loggedByOpencode(line: string): readonly Entry[] {
  if (!isError(line)) return []
  if (isRefusalLine(line)) return retried(quoted(line, 'error.error'))
  // The cause of an error that the stream calls unexpected, such as an unknown model.
  return / message=failed ref=/.test(line)
    ? [{ kind: 'failed', failure: makeFailure('other', quoted(line, 'error')) }]
    : []
}

/** Over ACP, OpenCode shortens a conversation that is too long. It mentions that only in its log. */
export function overflowLogged(line: string): readonly Entry[] {
  const message = isError(line) && isRefusalLine(line) ? quoted(line, 'error.error') : ''
  return TOO_LONG.test(message) ? [{ kind: 'failed', failure: makeFailure('context_overflow', message) }] : []
}

const isError = (line: string): boolean => /^timestamp=\S+ level=ERROR /.test(line)
/** Ignores the small model, which writes titles and may have other limits. */
const isRefusalLine = (line: string): boolean => {
  const [, details] = line.split(' message="stream error" ', 2)
  return details !== undefined && /\bsmall=false\b/.test(details)
}

/** Classifies by the text, because the line quotes the model's server without a status. */
const retried = (message: string): readonly Entry[] =>
  LIMITED.test(message) ? [{ kind: 'waits', failure: makeFailure('rate_limited', message, retryTimeIn(message)) }] : []

const quoted = (line: string, name: string): string =>
  new RegExp(` ${name}="((?:[^"\\\\]|\\\\.)*)"`).exec(line)?.[1] ?? ''
