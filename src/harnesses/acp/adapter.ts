/**
 * Runs any agent that supports the Agent Client Protocol (ACP). Muster's own client (src/entries/acp-client.ts) starts
 * the program in the agent's file, exchanges messages with it and writes a log. The briefing and the settings are
 * passed as files.
 */
import { basename, join } from 'node:path'
import type { AcpJob } from './acp-job.ts'
import { AUTH_REQUIRED } from './record.ts'
import type { Adapter, Job, Launch } from '../harness.ts'
import { toolsCommand, toolsFile } from '../mcp-entry.ts'
import { programPath } from '../cli-adapter.ts'
import { readableFolders } from '../readable-folders.ts'
import type { Entry, Failure, TextEdit } from '../stream/entry.ts'
import { jsonLineReader, messageIn, sessionIn, turnUsage } from '../stream/entries-in.ts'
import { LIMITED, TOO_LONG, UNPAID, makeFailure, kindOfStatus, retryTimeIn } from '../stream/failure-kind.ts'
import { asAmount, asCount, asList, asObject, asText, sumOf } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'
import { changesByOpencode } from '../opencode/user-files.ts'
import { PRINTS_LOG, loggedByOpencode, overflowLogged } from '../opencode/log.ts'
import { opencodeRules } from '../opencode/rules.ts'

export const adapter: Adapter = {
  launch: (job) => start(job, null),
  resume: (job, { message, session }) => (session === null ? null : start(job, { message, session })),
  readLine: jsonLineReader(entriesIn, printed),
}

function start(job: Job, next: { readonly message: string; readonly session: string } | null): Launch {
  const { agent, directory, workspace, sessionWaitMs } = job
  const [, ...args] = agent.args
  const { permissions, model, provider, effort } = agent
  const program = programPath(job)
  const { args: more = [], ...needs } = KNOWN_PROGRAMS[basename(program)]?.(job) ?? {}
  const message = join(directory.path, 'message.md')
  const acpJob: AcpJob = {
    program,
    args: [...args, ...more],
    workspace,
    briefing: directory.briefing,
    tools: toolsCommand(job),
    holder: directory.toolsOwner,
    permissions,
    model,
    provider,
    effort,
    session: next?.session ?? null,
    message: next === null ? null : message,
    sessionWaitMs,
  }
  const path = join(directory.path, 'acp.json')
  return {
    argv: [...job.acpClient, path],
    files: [
      { path: directory.briefing, content: job.briefing },
      ...(next === null ? [] : [{ path: message, content: next.message }]),
      { path: directory.mcp, content: toolsFile(job) },
      { path, content: `${JSON.stringify(acpJob, null, 2)}\n` },
    ],
    stdin: null,
    ...needs,
  }
}

/** Reads the lines in which OpenCode logs limits and overflows, because the protocol has no message for them. */
function printed(line: string): readonly Entry[] {
  return [...loggedByOpencode(line), ...overflowLogged(line)]
}

type ProgramNeeds = Pick<Launch, 'env' | 'unwantedChanges'> & { readonly args?: readonly string[] }

/** Settings for programs that would otherwise act without permission, or not start the board's tools. */
const KNOWN_PROGRAMS: Readonly<Record<string, (job: Job) => ProgramNeeds>> = {
  opencode: (job) => ({
    args: PRINTS_LOG,
    env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(opencodeRules(job)) },
    unwantedChanges: changesByOpencode(job),
  }),
  // Gemini CLI splits the argument at commas, so folders with a comma are left out. In the approval mode `default`, it
  // asks its client before each edit.
  gemini: (job) => ({
    args: [
      ...readableFolders(job)
        .filter((folder) => !folder.includes(','))
        .flatMap((folder) => ['--include-directories', folder]),
      ...(job.agent.permissions === 'full' ? [] : ['--approval-mode', 'default']),
    ],
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  }),
}

function entriesIn(fields: Fields): readonly Entry[] {
  switch (fields['acp']) {
    case 'session':
      return fields['isKept'] === true ? sessionIn(fields['id']) : []
    case 'update':
      return fields['isHistory'] === true ? [] : updateEntries(fields)
    case 'permission':
      return calledIn(fields)
    case 'ended':
      return endEntries(fields)
    case 'failed':
      return [{ kind: 'failed', failure: failureFrom(fields) }]
    case 'no_tools':
      return [{ kind: 'failed', failure: makeFailure('other', asText(fields['message']) ?? '') }]
    default:
      return []
  }
}

function updateEntries(fields: Fields): readonly Entry[] {
  const update = asObject(fields['update']) ?? {}
  switch (update['sessionUpdate']) {
    case 'agent_message_chunk':
      return messageIn(asObject(update['content'])?.['text'], { isContinuation: true })
    case 'agent_thought_chunk':
    case 'plan':
      return [{ kind: 'answers' }]
    case 'tool_call':
    case 'tool_call_update':
      return [...calledIn(fields), ...returnedIn(fields)]
    default:
      return []
  }
}

function calledIn(fields: Fields): readonly Entry[] {
  const called = asObject(fields['called'])
  if (called === null) return []
  return [{ kind: 'called', tool: asText(called['tool']) ?? 'tool', input: called['input'], call: callIdIn(fields) }]
}

const callIdIn = ({ update, call }: Fields): string | undefined =>
  asText(asObject(update ?? call)?.['toolCallId']) ?? undefined

function returnedIn(fields: Fields): readonly Entry[] {
  const returned = asObject(fields['returned'])
  if (returned === null) return []
  const edits = editsIn(asObject(fields['update']) ?? {})
  const changed = asList(returned['changed']).flatMap((path): readonly Entry[] =>
    typeof path === 'string' ? [{ kind: 'changed', path, edit: edits.get(path) }] : [],
  )
  const text = asText(returned['text']) ?? ''
  return [{ kind: 'returned', ok: returned['ok'] === true, text, call: callIdIn(fields) }, ...changed]
}

/** The changed texts that an update shows, by path. */
function editsIn(update: Fields): ReadonlyMap<string, TextEdit> {
  const edits = new Map<string, TextEdit>()
  for (const part of asList(update['content'])) {
    const { type, path, oldText, newText } = asObject(part) ?? {}
    if (type === 'diff' && typeof path === 'string')
      edits.set(path, { before: asText(oldText) ?? '', after: asText(newText) ?? '' })
  }
  return edits
}

function endEntries(fields: Fields): readonly Entry[] {
  const answer = asObject(fields['answer']) ?? {}
  const reason = asText(answer['stopReason']) ?? ''
  return [...usageIn(answer, asAmount(fields['costUsd'])), ...failureOf(reason)]
}

function usageIn(answer: Fields, costUsd: number | null): readonly Entry[] {
  const tokens = tokensIn(asObject(answer['usage'])) ?? geminiTokensIn(answer)
  if (tokens === null && costUsd === null) return []
  return [turnUsage(tokens?.inputTokens ?? null, tokens?.outputTokens ?? null, costUsd)]
}

interface Tokens {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

/**
 * Adds cached tokens to the input and thought tokens to the output. If the total shows that the agent has already added
 * these tokens, the numbers stay the same.
 */
function tokensIn(usage: Fields | null): Tokens | null {
  const inputTokens = asCount(usage?.['inputTokens'])
  const outputTokens = asCount(usage?.['outputTokens'])
  if (usage === null || inputTokens === null || outputTokens === null) return null
  if (usage['totalTokens'] === inputTokens + outputTokens) return { inputTokens, outputTokens }
  return {
    inputTokens: sumOf(usage, 'inputTokens', 'cachedReadTokens', 'cachedWriteTokens'),
    outputTokens: sumOf(usage, 'outputTokens', 'thoughtTokens'),
  }
}

function geminiTokensIn(answer: Fields): Tokens | null {
  const count = asObject(asObject(asObject(answer['_meta'])?.['quota'])?.['token_count'])
  return count === null
    ? null
    : { inputTokens: asCount(count['input_tokens']), outputTokens: asCount(count['output_tokens']) }
}

function failureOf(reason: string): readonly Entry[] {
  switch (reason) {
    case 'end_turn':
      return []
    case 'max_turn_requests':
      return [{ kind: 'failed', failure: makeFailure('turn_limit', 'The agent reached its limit of model requests.') }]
    case 'max_tokens':
      return [{ kind: 'failed', failure: makeFailure('context_overflow', 'The model reached its token limit.') }]
    case 'refusal':
      return [{ kind: 'failed', failure: makeFailure('other', 'The agent refused to continue.') }]
    default:
      return [
        { kind: 'failed', failure: makeFailure('other', `The agent ended its turn: ${reason || 'no reason given'}.`) },
      ]
  }
}

const UNKNOWN_USER = /\b(?:401|unauthori[sz]ed|api.?key|log(?:ged)? ?in|(?:un)?authenticat\w+)\b/i

/**
 * Classifies a failure by the status of the model's server. Without a status, the text of the message decides, because
 * most agents send only a general error code.
 */
function failureFrom(fields: Fields): Failure {
  const message = asText(fields['message']) ?? 'it failed'
  const { code, data } = fields
  if (typeof code !== 'number') return makeFailure('other', message)
  const retryAt = retryTimeIn(message) ?? retryTimeIn(jsonText(data)) ?? secondsIn(asObject(data) ?? {})
  const kind = kindOfStatus(statusIn(code, asObject(data) ?? {}))
  if (kind !== 'other') return makeFailure(kind, message, kind === 'rate_limited' ? retryAt : null)
  if (LIMITED.test(message)) return makeFailure('rate_limited', message, retryAt)
  if (UNPAID.test(message)) return makeFailure('billing', message)
  if (TOO_LONG.test(message)) return makeFailure('context_overflow', message)
  return makeFailure(code === AUTH_REQUIRED || UNKNOWN_USER.test(message) ? 'auth' : 'other', message)
}

/** Formats data as JSON. Returns an empty text if the data is nested too deeply. */
function jsonText(data: unknown): string {
  try {
    return JSON.stringify(data ?? '')
  } catch {
    return ''
  }
}

/** The status that the model's server returned. Some agents send this status as the error code. */
const statusIn = (code: number, data: Fields): number | null =>
  code >= 400 && code < 600 ? code : (asCount(data['statusCode']) ?? asCount(data['status']) ?? asCount(data['code']))

function secondsIn(data: Fields): number | null {
  const seconds = asAmount(data['retryAfter']) ?? asAmount(data['retry_after'])
  return seconds === null ? null : Date.now() + seconds * 1000
}
