/** Of its retries Gemini CLI tells only on standard error, in prose, however it is started. */
import type { Entry } from '../stream/entry.ts'
import { failed, kindOfStatus, waitIn } from '../stream/failure-kind.ts'

/** Where the server names a delay it says so, else a status. */
const RETRIED = /^Attempt \d+ failed(?: with status (\d{3})| with (429) error|(: ))(?!.*Max attempts reached)/

export function geminiRetried(line: string): readonly Entry[] {
  const [found, status, other, named] = RETRIED.exec(line) ?? []
  if (found === undefined) return []
  if (named === undefined && kindOfStatus(Number(status ?? other)) !== 'rate_limited') return []
  const delay = /Retrying after (\d+)ms/.exec(line)?.[1]
  const retryAt = delay === undefined ? waitIn(line) : Date.now() + Number(delay)
  return [{ kind: 'waits', failure: failed('rate_limited', line, retryAt) }]
}
