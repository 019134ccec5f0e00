/** What OpenCode tells only in its log, which it prints when it is asked to (`PRINTS_LOG`), however it is started. */
import type { Entry } from '../stream/entry.ts'
import { LIMITED, TOO_LONG, failed, waitIn } from '../stream/failure-kind.ts'

export const PRINTS_LOG = ['--print-logs', '--log-level', 'ERROR'] as const

export function loggedByOpencode(line: string): readonly Entry[] {
  if (!isError(line)) return []
  if (isRefused(line)) return retried(quoted(line, 'error.error'))
  // What it calls unexpected elsewhere, and why: a model that does not exist, for one.
  return / message=failed ref=/.test(line) ? [{ kind: 'failed', failure: failed('other', quoted(line, 'error')) }] : []
}

/** That a conversation is too long it tells by itself as well, unless it is spoken with: then it only shortens it. */
export function overflowLogged(line: string): readonly Entry[] {
  const message = isError(line) && isRefused(line) ? quoted(line, 'error.error') : ''
  return TOO_LONG.test(message) ? [{ kind: 'failed', failure: failed('context_overflow', message) }] : []
}

const isError = (line: string): boolean => /^timestamp=\S+ level=ERROR /.test(line)
/** By the model of the conversation; the one that only finds a title for it may have limits of its own. */
const isRefused = (line: string): boolean => {
  const [, told] = line.split(' message="stream error" ', 2)
  return told !== undefined && /\bsmall=false\b/.test(told)
}

/** The model's server is quoted: no status, and no time. */
const retried = (message: string): readonly Entry[] =>
  LIMITED.test(message) ? [{ kind: 'waits', failure: failed('rate_limited', message, waitIn(message)) }] : []

const quoted = (line: string, name: string): string =>
  new RegExp(` ${name}="((?:[^"\\\\]|\\\\.)*)"`).exec(line)?.[1] ?? ''
