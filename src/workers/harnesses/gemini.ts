/** Gemini CLI, not interactively: the briefing on standard input, one JSON object per line out. */
import type { Job, Launch } from '../harness.ts'
import { toolsFile } from '../mcp-entry.ts'
import { programOf } from '../program.ts'
import { foldersOutside } from '../skills/skill-folders.ts'
import type { Entry, Failure } from '../stream/entry.ts'
import { fileChange } from '../stream/file-change.ts'
import { TOO_LONG, failed, kindOfStatus, waitIn } from '../stream/failure-kind.ts'
import { asCount, asObject, asText, wordsIn } from '../stream/json-line.ts'
import type { Fields } from '../stream/json-line.ts'
import { furnishGemini, geminiHome } from './gemini-home.ts'
import { cliHarness } from './cli-harness.ts'

const PROGRAM = 'gemini'

/**
 * Nobody is there to be asked: what a mode does not approve is not offered to the agent. Its mode `plan` would not offer
 * it the tools of the board either.
 */
const MODES = { read: 'default', ask: 'default', edit: 'auto_edit', full: 'yolo' } as const

export const geminiHarness = cliHarness({
  program: PROGRAM,
  start,
  resuming: (session) => ['--resume', session],
  nativeSkill: ({ at, name }) => (at === 'home' || at === '.agents' ? name : null),
  entriesIn,
  prose: retried,
})

function start(job: Job, words: string, how: readonly string[]): Launch {
  const { agent, directory } = job
  const { files, links } = furnishGemini(job)
  const printed = ['--output-format', 'stream-json']
  const held = ['--skip-trust', '--approval-mode', MODES[agent.permissions]]
  const options = [
    ...printed,
    ...held,
    ...(agent.model === null ? [] : ['--model', agent.model]),
    ...foldersOutside(job).flatMap((folder) => ['--include-directories', folder]),
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
    env: { GEMINI_CLI_HOME: geminiHome(job) },
  }
}

const WRITING = ['write_file', 'replace']

function entriesIn(fields: Fields): readonly Entry[] {
  switch (fields['type']) {
    case 'init': {
      const id = asText(fields['session_id'])
      return id === null ? [] : [{ kind: 'session', id }]
    }
    case 'message': {
      const text = asText(fields['content'])
      if (fields['role'] !== 'assistant' || text === null || text === '') return []
      return [{ kind: 'said', text, goesOn: fields['delta'] === true }]
    }
    case 'tool_use': {
      const { tool_name: name, parameters: input, tool_id: call } = fields
      const tool = asText(name) ?? 'tool'
      return [{ kind: 'called', tool, input, changes: fileChange(WRITING, { tool, input, call }) }]
    }
    case 'tool_result': {
      const text = wordsIn(fields['output'] ?? fields['error'])
      return [
        { kind: 'returned', ok: fields['status'] === 'success', text, call: asText(fields['tool_id']) ?? undefined },
      ]
    }
    case 'result':
      return [...usageIn(asObject(fields['stats'])), ...failureIn(fields)]
    // Mostly warnings. Of its limit of turns it may tell nowhere else.
    case 'error': {
      const message = asText(fields['message']) ?? ''
      return TURN_LIMIT.test(message) ? [{ kind: 'failed', failure: failed('turn_limit', message) }] : []
    }
    default:
      return []
  }
}

/** Of its retries it tells only on standard error, in prose. Where the server names a delay it says so, else a status. */
const RETRIED = /^Attempt \d+ failed(?: with status (\d{3})| with (429) error|(: ))(?!.*Max attempts reached)/

function retried(line: string): readonly Entry[] {
  const [found, status, other, named] = RETRIED.exec(line) ?? []
  if (found === undefined) return []
  if (named === undefined && kindOfStatus(Number(status ?? other)) !== 'rate_limited') return []
  const delay = /Retrying after (\d+)ms/.exec(line)?.[1]
  const retryAt = delay === undefined ? waitIn(line) : Date.now() + Number(delay)
  return [{ kind: 'waits', failure: failed('rate_limited', line, retryAt) }]
}

function usageIn(stats: Fields | null): readonly Entry[] {
  if (stats === null) return []
  const inputTokens = asCount(stats['input_tokens'])
  const outputTokens = asCount(stats['output_tokens'])
  return [{ kind: 'usage', whole: true, usage: { inputTokens, outputTokens, costUsd: null } }]
}

function failureIn({ status, error }: Fields): readonly Entry[] {
  if (status !== 'error') return []
  const { type, message } = asObject(error) ?? {}
  return [{ kind: 'failed', failure: toldFailure(asText(type), asText(message) ?? 'it failed') }]
}

const TURN_LIMIT = /max(?:imum)? (?:session )?turns/i
const REASONS: Readonly<Record<string, Failure['kind']>> = { API_KEY_INVALID: 'auth', BILLING_DISABLED: 'billing' }

function toldFailure(type: string | null, message: string): Failure {
  if (type === 'FatalTurnLimitedError' || TURN_LIMIT.test(message)) return failed('turn_limit', message)
  // The server's answer, quoted: a key that is not valid is called a request that is not.
  const kind = REASONS[/"reason":\s*"([A-Z_]+)"/.exec(message)?.[1] ?? '']
  if (kind !== undefined) return failed(kind, message)
  if (TOO_LONG.test(message)) return failed('context_overflow', message)
  const code = /"code":\s*(\d{3})/.exec(message)?.[1]
  if (code !== undefined) return failed(kindOfStatus(Number(code)), message, waitIn(message))
  if (/quota|rate.?limit/i.test(message)) return failed('rate_limited', message, waitIn(message))
  return failed(/auth|credential|log.?in/i.test(message) ? 'auth' : 'other', message)
}
