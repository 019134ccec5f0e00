/** Gemini CLI, not interactively: the briefing on standard input, one JSON object per line out. */
import { join } from 'node:path'
import type { Harness, Job, Launch } from '../harness.ts'
import { toolsCommand, toolsFile } from '../mcp-entry.ts'
import { programOf } from '../program.ts'
import type { Entry, Failure } from '../stream/entry.ts'
import { failed, kindOfStatus, waitIn } from '../stream/failure-kind.ts'
import { asCount, asObject, asText, objectIn, wordsIn } from '../stream/json-line.ts'

const PROGRAM = 'gemini'

/** Nobody is there to be asked: what a mode does not approve is not offered to the agent. */
const MODES = { read: 'plan', ask: 'default', edit: 'auto_edit', full: 'yolo' } as const

export const geminiHarness: Harness = {
  program: PROGRAM,
  nonceInEnvironment: false,
  needsProgram: true,
  readsBriefing: true,
  runsTheCard: false,
  faultIn: () => null,
  launch: (job) => start(job, job.briefing, []),
  resume: (job, { message, session }) => (session === null ? null : start(job, message, ['--resume', session])),
  readLine: (line) => {
    const fields = objectIn(line)
    return fields === null ? retried(line) : entriesIn(fields)
  },
}

/** Its tools for this run stand in settings that come before the user's own, which stay as they are. */
function start(job: Job, words: string, how: readonly string[]): Launch {
  const { agent, directory } = job
  const { command, args } = toolsCommand(job)
  const path = join(directory.path, 'gemini.json')
  const settings = { mcpServers: { muster: { command, args, trust: true } } }
  const options = [
    ...['--output-format', 'stream-json', '--skip-trust', '--approval-mode', MODES[agent.permissions]],
    ...(agent.model === null ? [] : ['--model', agent.model]),
  ]
  return {
    argv: [programOf(job, PROGRAM), ...options, ...how, ...agent.args],
    files: [
      { path: directory.briefing, content: words, mode: 0o600 },
      { path: directory.mcp, content: toolsFile(job), mode: 0o600 },
      { path, content: `${JSON.stringify(settings, null, 2)}\n`, mode: 0o600 },
    ],
    stdin: directory.briefing,
    env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: path },
  }
}

type Fields = NonNullable<ReturnType<typeof objectIn>>

function entriesIn(fields: Fields): readonly Entry[] {
  switch (fields['type']) {
    case 'init': {
      const id = asText(fields['session_id'])
      return id === null ? [] : [{ kind: 'session', id }]
    }
    case 'message': {
      const text = asText(fields['content'])
      return fields['role'] !== 'assistant' || text === null || text === '' ? [] : [{ kind: 'said', text }]
    }
    case 'tool_use':
      return [{ kind: 'called', tool: asText(fields['tool_name']) ?? 'tool', input: fields['parameters'] }]
    case 'tool_result':
      return [
        { kind: 'returned', ok: fields['status'] === 'success', text: wordsIn(fields['output'] ?? fields['error']) },
      ]
    case 'result':
      return [...usageIn(asObject(fields['stats'])), ...failureIn(fields)]
    default:
      return []
  }
}

/** Of its retries it tells only on standard error, in prose. */
function retried(line: string): readonly Entry[] {
  const status = /^Attempt \d+ failed with status (\d{3})\. Retrying/.exec(line)?.[1]
  if (status === undefined || kindOfStatus(Number(status)) !== 'rate_limited') return []
  return [{ kind: 'waits', failure: failed('rate_limited', line, waitIn(line)) }]
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

function toldFailure(type: string | null, message: string): Failure {
  if (type === 'FatalTurnLimitedError' || /maximum (?:session )?turns/i.test(message))
    return failed('turn_limit', message)
  const code = /"code":\s*(\d{3})/.exec(message)?.[1]
  if (code !== undefined) return failed(kindOfStatus(Number(code)), message, waitIn(message))
  if (/quota|rate.?limit/i.test(message)) return failed('rate_limited', message, waitIn(message))
  return failed(/auth|credential|log.?in/i.test(message) ? 'auth' : 'other', message)
}
