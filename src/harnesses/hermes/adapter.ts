/**
 * Hermes Agent, not interactively: the briefing on standard input, one JSON object per line out. Written from its public
 * documentation (of version 0.21), and never run against the program itself.
 */
import { cut } from '../../core/text.ts'
import type { Job } from '../harness.ts'
import type { Entry, Failure } from '../stream/entry.ts'
import { fileChange, messageIn, sessionIn, spent } from '../stream/entries-in.ts'
import { failed, kindOfStatus, waitIn } from '../stream/failure-kind.ts'
import { asObject, asText, sumOf, wordsIn } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'
import { cliAdapter, option } from '../cli-adapter.ts'
import type { CliTurn } from '../cli-adapter.ts'
import { HERMES_SESSIONS, hermesFiles, hermesHome, nowhere } from './home.ts'

/**
 * Nobody is there to be asked. Its commands are held back by nothing but a list of dangerous ones: only who may do
 * everything gets a shell. Neither its memory nor its skills are to be changed by a card, so others do without both.
 */
const HELD = ['--toolsets', 'file,web,vision,todo,muster']
const TOOLSETS = {
  read: HELD,
  ask: HELD,
  edit: HELD,
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
  // Its own settings may name another folder to work in, and a session remembers where it was.
  const asked = ['--query-file', '-', '--format', 'stream-json', '--source', 'tool', '--in', job.workspace]
  const options = [
    'chat',
    ...asked,
    ...TOOLSETS[agent.permissions],
    ...option('--model', agent.model),
    ...option('--provider', agent.provider),
  ]
  return {
    ...hermesFiles(job),
    args: [...options, ...resumeArgs, ...agent.args],
    env: { HERMES_HOME: hermesHome(job), ...writableBy(job) },
  }
}

/** The tools that write files come together with those that read them: where they may write is all that can be said. */
function writableBy(job: Job): Readonly<Record<string, string>> {
  const { permissions } = job.agent
  if (permissions === 'full') return {}
  return { HERMES_WRITE_SAFE_ROOT: permissions === 'edit' ? job.workspace : nowhere(job) }
}

const WRITING = ['write_file', 'patch']

function entriesIn(fields: Fields): readonly Entry[] {
  switch (fields['type']) {
    case 'system':
      // Claude Code begins in the same words, and with a list of its tools.
      return fields['subtype'] === 'init' && fields['tools'] === undefined ? sessionIn(fields['session_id']) : []
    case 'text':
      return messageIn(fields['text'], { isContinuation: true })
    case 'tool_use': {
      const { name, input, tool_call_id: call } = fields
      const tool = asText(name) ?? 'tool'
      return [{ kind: 'called', tool, input, changes: fileChange(WRITING, { tool, input, call }) }]
    }
    case 'tool_result': {
      const call = asText(fields['tool_call_id']) ?? undefined
      return [{ kind: 'returned', ok: fields['is_error'] !== true, text: wordsIn(fields['output']), call }]
    }
    case 'result':
      // By then it may have begun another, to have room for more.
      if (!('exit_code' in fields)) return []
      return [...sessionIn(fields['session_id']), ...usageIn(fields), ...failureIn(fields)]
    default:
      return []
  }
}

/** Of this turn alone; one that never came to the model tells of nothing. */
function usageIn(fields: Fields): readonly Entry[] {
  const tokens = asObject(fields['tokens']) ?? {}
  const inputTokens = sumOf(tokens, 'input', 'cache_read', 'cache_write')
  const outputTokens = sumOf(tokens, 'output')
  return inputTokens + outputTokens === 0 ? [] : [spent(inputTokens, outputTokens)]
}

function failureIn(fields: Fields): readonly Entry[] {
  const error = asText(fields['error'])
  if (fields['exit_code'] === 0 && error === null) return []
  return [{ kind: 'failed', failure: classifyFailure(cut(error ?? (asText(fields['text']) || 'it failed'), 4_000)) }]
}

/** It tells why only in words. */
function classifyFailure(message: string): Failure {
  const status = /\b(?:HTTP|status|code:?) (\d{3})\b/i.exec(message)?.[1]
  if (status !== undefined && kindOfStatus(Number(status)) !== 'other')
    return failed(kindOfStatus(Number(status)), message, waitIn(message))
  if (/rate.?limit|usage limit|quota|too many requests/i.test(message))
    return failed('rate_limited', message, waitIn(message))
  if (/credit balance|insufficient credits|payment/i.test(message)) return failed('billing', message)
  if (/credential|api key|access token|logged in/i.test(message)) return failed('auth', message)
  if (/context (?:window|length)/i.test(message)) return failed('context_overflow', message)
  return failed(/maximum number of .*iterations|iteration budget/i.test(message) ? 'turn_limit' : 'other', message)
}
