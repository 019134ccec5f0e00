/**
 * Hermes Agent, not interactively: the briefing on standard input, one JSON object per line out. Written from its public
 * documentation (of version 0.21), and never run against the program itself.
 */
import { cut } from '../../core/text.ts'
import type { Job, Launch } from '../harness.ts'
import { toolsFile } from '../mcp-entry.ts'
import { programOf } from '../program.ts'
import type { Entry, Failure } from '../stream/entry.ts'
import { fileChange } from '../stream/file-change.ts'
import { failed, kindOfStatus, waitIn } from '../stream/failure-kind.ts'
import { asCount, asObject, asText, wordsIn } from '../stream/json-line.ts'
import type { Fields } from '../stream/json-line.ts'
import { cliHarness } from './cli-harness.ts'
import { furnishHermes, hermesHome, nowhere } from './hermes-home.ts'

const PROGRAM = 'hermes'

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

export const hermesHarness = cliHarness({
  program: PROGRAM,
  start,
  resuming: (session) => ['--resume', session],
  entriesIn,
})

function start(job: Job, words: string, how: readonly string[]): Launch {
  const { agent, directory } = job
  const { files, links } = furnishHermes(job)
  // Its own settings may name another folder to work in, and a session remembers where it was.
  const asked = ['--query-file', '-', '--format', 'stream-json', '--source', 'tool', '--in', job.workspace]
  const options = [
    'chat',
    ...asked,
    ...TOOLSETS[agent.permissions],
    ...(agent.model === null ? [] : ['--model', agent.model]),
    ...(agent.provider === null ? [] : ['--provider', agent.provider]),
  ]
  return {
    argv: [programOf(job, PROGRAM), ...options, ...how, ...agent.args],
    files: [
      { path: directory.briefing, content: words, mode: 0o600 },
      { path: directory.mcp, content: toolsFile(job), mode: 0o600 },
      ...files,
    ],
    links,
    stdin: directory.briefing,
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
      return fields['subtype'] === 'init' && fields['tools'] === undefined ? sessionIn(fields) : []
    case 'text': {
      const text = asText(fields['text'])
      return text === null || text === '' ? [] : [{ kind: 'said', text, goesOn: true }]
    }
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
      return 'exit_code' in fields ? [...sessionIn(fields), ...usageIn(fields), ...failureIn(fields)] : []
    default:
      return []
  }
}

function sessionIn({ session_id: session }: Fields): readonly Entry[] {
  const id = asText(session)
  return id === null || id === '' ? [] : [{ kind: 'session', id }]
}

/** Of this turn alone; one that never came to the model tells of nothing. */
function usageIn(fields: Fields): readonly Entry[] {
  const tokens = asObject(fields['tokens']) ?? {}
  const parts = ['input', 'cache_read', 'cache_write']
  const inputTokens = parts.reduce((sum, part) => sum + (asCount(tokens[part]) ?? 0), 0)
  const outputTokens = asCount(tokens['output']) ?? 0
  if (inputTokens + outputTokens === 0) return []
  return [{ kind: 'usage', whole: true, usage: { inputTokens, outputTokens, costUsd: null } }]
}

function failureIn(fields: Fields): readonly Entry[] {
  const error = asText(fields['error'])
  if (fields['exit_code'] === 0 && error === null) return []
  return [{ kind: 'failed', failure: toldFailure(cut(error ?? (asText(fields['text']) || 'it failed'), 4_000)) }]
}

/** It tells why only in words. */
function toldFailure(message: string): Failure {
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
