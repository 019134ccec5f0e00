/** Runs Gemini CLI without interaction: it reads the briefing on standard input and prints one JSON object per line. */
import type { Job } from '../harness.ts'
import type { Entry, Failure } from '../stream/entry.ts'
import { fileChange, messageIn, sessionIn, turnUsage } from '../stream/entries-in.ts'
import { TOO_LONG, makeFailure, kindOfStatus, retryTimeIn } from '../stream/failure-kind.ts'
import { asCount, asObject, asText, textIn } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'
import { GEMINI_SESSIONS, geminiFiles, geminiHome } from './home.ts'
import { cliAdapter, option } from '../cli-adapter.ts'
import type { CliTurn } from '../cli-adapter.ts'

/**
 * The approval modes. No person can answer permission requests, so Gemini CLI offers the agent only the tools that its
 * mode approves. The mode `plan` would also hide the board's tools.
 */
const MODES = { read: 'default', ask: 'default', edit: 'auto_edit', full: 'yolo' } as const

export const adapter = cliAdapter({
  start,
  resumeArguments: (session) => ['--resume', session],
  sessionFiles: GEMINI_SESSIONS,
  nativeSkill: ({ at, name }) => (at === 'home' || at === '.agents' ? name : null),
  entriesIn,
  prose: proseIn,
})

function start(job: Job, resumeArgs: readonly string[]): CliTurn {
  const { agent } = job
  const format = ['--output-format', 'stream-json']
  const mode = ['--skip-trust', '--approval-mode', MODES[agent.permissions]]
  const options = [...format, ...mode, ...option('--model', agent.model)]
  return {
    ...geminiFiles(job),
    args: [...options, ...resumeArgs, ...agent.args],
    env: { GEMINI_CLI_HOME: geminiHome(job) },
  }
}

const WRITING = ['write_file', 'replace']

function entriesIn(fields: Fields): readonly Entry[] {
  switch (fields['type']) {
    case 'init':
      return sessionIn(fields['session_id'])
    case 'message':
      return fields['role'] === 'assistant'
        ? messageIn(fields['content'], { isContinuation: fields['delta'] === true })
        : []
    case 'tool_use': {
      const { tool_name: name, parameters: input, tool_id: call } = fields
      const tool = asText(name) ?? 'tool'
      const changes = fileChange(WRITING, { tool, input, call })
      return [{ kind: 'called', tool, input, call: asText(call) ?? undefined, changes }]
    }
    case 'tool_result': {
      const text = textIn(fields['output'] ?? fields['error'])
      return [
        { kind: 'returned', ok: fields['status'] === 'success', text, call: asText(fields['tool_id']) ?? undefined },
      ]
    }
    case 'result':
      return [...usageIn(asObject(fields['stats'])), ...failureIn(fields)]
    // Most errors of this kind are only warnings. But such an error may be the only report that the turn limit was
    // reached.
    case 'error': {
      const message = asText(fields['message']) ?? ''
      return TURN_LIMIT.test(message) ? [{ kind: 'failed', failure: makeFailure('turn_limit', message) }] : []
    }
    default:
      return []
  }
}

/**
 * Matches a line about a retry. Gemini CLI reports retries only as text on standard error, with the delay or the
 * status.
 */
const RETRIED = /^Attempt \d+ failed(?: with status (\d{3})| with (429) error|(: ))(?!.*Max attempts reached)/

/** Matches the line that Gemini CLI prints before the stream begins if the user has never logged in. */
const NO_LOG_IN = /^Please set an Auth method in your /

function proseIn(line: string): readonly Entry[] {
  if (NO_LOG_IN.test(line)) return [{ kind: 'failed', failure: makeFailure('auth', line) }]
  const [found, status, other, named] = RETRIED.exec(line) ?? []
  if (found === undefined) return []
  if (named === undefined && kindOfStatus(Number(status ?? other)) !== 'rate_limited') return []
  const delay = /Retrying after (\d+)ms/.exec(line)?.[1]
  const retryAt = delay === undefined ? retryTimeIn(line) : Date.now() + Number(delay)
  return [{ kind: 'waits', failure: makeFailure('rate_limited', line, retryAt) }]
}

const usageIn = (stats: Fields | null): readonly Entry[] =>
  stats === null ? [] : [turnUsage(asCount(stats['input_tokens']), asCount(stats['output_tokens']))]

function failureIn({ status, error }: Fields): readonly Entry[] {
  if (status !== 'error') return []
  const { type, message } = asObject(error) ?? {}
  return [{ kind: 'failed', failure: classifyFailure(asText(type), asText(message) ?? 'it failed') }]
}

/**
 * Matches messages about a failed login. Only whole words match: a file name such as `author.ts` must not pause the
 * account, because only a person can resume it.
 */
const UNKNOWN_USER = /\b(?:authenticat\w+|unauthenticated|unauthorized|credentials?|log ?in|auth method)\b/i
const TURN_LIMIT = /max(?:imum)? (?:session )?turns/i
const REASONS: Readonly<Record<string, Failure['kind']>> = { API_KEY_INVALID: 'auth', BILLING_DISABLED: 'billing' }

function classifyFailure(type: string | null, message: string): Failure {
  if (type === 'FatalTurnLimitedError' || TURN_LIMIT.test(message)) return makeFailure('turn_limit', message)
  // The message quotes the model's server. The reason in the quote is checked before the status, because an invalid key
  // has the status of an invalid request.
  const kind = REASONS[/"reason":\s*"([A-Z_]+)"/.exec(message)?.[1] ?? '']
  if (kind !== undefined) return makeFailure(kind, message)
  if (/API.?key (?:not valid|expired)/i.test(message)) return makeFailure('auth', message)
  if (TOO_LONG.test(message)) return makeFailure('context_overflow', message)
  const code = /"code":\s*(\d{3})/.exec(message)?.[1]
  if (code !== undefined) return makeFailure(kindOfStatus(Number(code)), message, retryTimeIn(message))
  if (/quota|rate.?limit/i.test(message)) return makeFailure('rate_limited', message, retryTimeIn(message))
  const isRefused = type === 'FatalAuthenticationError' || UNKNOWN_USER.test(message)
  return makeFailure(isRefused ? 'auth' : 'other', message)
}
