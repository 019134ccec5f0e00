/**
 * Runs Hermes Agent without interaction: it reads the briefing on standard input and prints one JSON object per line.
 * The adapter follows the public documentation of version 0.21 and was never tested with the program itself.
 */
import { cut } from '../../core/text.ts'
import type { Job } from '../harness.ts'
import type { Entry, Failure } from '../stream/entry.ts'
import { fileChange, messageIn, sessionIn, turnUsage } from '../stream/entries-in.ts'
import { makeFailure, kindOfStatus, retryTimeIn } from '../stream/failure-kind.ts'
import { asObject, asText, sumOf, textIn } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'
import { cliAdapter, option } from '../cli-adapter.ts'
import type { CliTurn } from '../cli-adapter.ts'
import { HERMES_SESSIONS, hermesFiles, hermesHome, nowhere } from './home.ts'

/**
 * The options for agents without full permissions. Hermes restricts shell commands only by a list of dangerous
 * commands, so these agents get no shell. They also get no memory and no skills, because a card must not change those.
 */
const RESTRICTED = ['--toolsets', 'file,web,vision,todo,muster']
const TOOLSETS = {
  read: RESTRICTED,
  ask: RESTRICTED,
  edit: RESTRICTED,
  full: ['--yolo', '--toolsets', 'hermes-cli,muster'],
} as const

export const adapter = cliAdapter({
  start,
  resumeArguments: (session) => ['--resume', session],
  sessionFiles: HERMES_SESSIONS,
  entriesIn,
})

function start(job: Job, resumeArgs: readonly string[]): CliTurn {
  const { agent } = job
  // The working folder is an argument. Otherwise the settings or a resumed session could select another folder.
  const query = ['--query-file', '-', '--format', 'stream-json', '--source', 'tool', '--in', job.workspace]
  const options = [
    'chat',
    ...query,
    ...TOOLSETS[agent.permissions],
    ...option('--model', agent.model),
    ...option('--provider', agent.provider),
  ]
  return {
    ...hermesFiles(job),
    args: [...options, ...resumeArgs, ...agent.args],
    env: { HERMES_HOME: hermesHome(job), ...writeLimit(job) },
  }
}

/**
 * The writable folder of an agent. Hermes has one toolset for reading and writing files, so writing can only be limited
 * by folder.
 */
function writeLimit(job: Job): Readonly<Record<string, string>> {
  const { permissions } = job.agent
  if (permissions === 'full') return {}
  return { HERMES_WRITE_SAFE_ROOT: permissions === 'edit' ? job.workspace : nowhere(job) }
}

const WRITING = ['write_file', 'patch']

function entriesIn(fields: Fields): readonly Entry[] {
  switch (fields['type']) {
    case 'system':
      // The first line of Claude Code looks the same, except that it contains a list of tools.
      return fields['subtype'] === 'init' && fields['tools'] === undefined ? sessionIn(fields['session_id']) : []
    case 'text':
      return messageIn(fields['text'], { isContinuation: true })
    case 'tool_use': {
      const { name, input, tool_call_id: call } = fields
      const tool = asText(name) ?? 'tool'
      const changes = fileChange(WRITING, { tool, input, call })
      return [{ kind: 'called', tool, input, call: asText(call) ?? undefined, changes }]
    }
    case 'tool_result': {
      const call = asText(fields['tool_call_id']) ?? undefined
      return [{ kind: 'returned', ok: fields['is_error'] !== true, text: textIn(fields['output']), call }]
    }
    case 'result':
      if (!('exit_code' in fields)) return []
      // The session at the end may differ from the session at the beginning, because Hermes starts another session to
      // get an empty context.
      return [...sessionIn(fields['session_id']), ...usageIn(fields), ...failureIn(fields)]
    default:
      return []
  }
}

/** The usage of this turn. If the turn did not reach the model, it has no usage. */
function usageIn(fields: Fields): readonly Entry[] {
  const tokens = asObject(fields['tokens']) ?? {}
  const inputTokens = sumOf(tokens, 'input', 'cache_read', 'cache_write')
  const outputTokens = sumOf(tokens, 'output')
  return inputTokens + outputTokens === 0 ? [] : [turnUsage(inputTokens, outputTokens)]
}

function failureIn(fields: Fields): readonly Entry[] {
  const error = asText(fields['error'])
  if (fields['exit_code'] === 0 && error === null) return []
  return [{ kind: 'failed', failure: classifyFailure(cut(error ?? (asText(fields['text']) || 'it failed'), 4_000)) }]
}

/** Classifies a failure by its text, because Hermes gives no other reason. */
function classifyFailure(message: string): Failure {
  const status = /\b(?:HTTP|status|code:?) (\d{3})\b/i.exec(message)?.[1]
  if (status !== undefined && kindOfStatus(Number(status)) !== 'other')
    return makeFailure(kindOfStatus(Number(status)), message, retryTimeIn(message))
  if (/rate.?limit|usage limit|quota|too many requests/i.test(message))
    return makeFailure('rate_limited', message, retryTimeIn(message))
  if (/credit balance|insufficient credits|payment/i.test(message)) return makeFailure('billing', message)
  if (/credential|api key|access token|logged in/i.test(message)) return makeFailure('auth', message)
  if (/context (?:window|length)/i.test(message)) return makeFailure('context_overflow', message)
  return makeFailure(/maximum number of .*iterations|iteration budget/i.test(message) ? 'turn_limit' : 'other', message)
}
