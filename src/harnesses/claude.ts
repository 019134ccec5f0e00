/** Runs Claude Code without interaction: it reads the briefing on standard input and prints one JSON object per line. */
import { join } from 'node:path'
import type { Environment } from '../config/environment.ts'
import type { RunFiles, Job } from './harness.ts'
import { readableFolders } from './readable-folders.ts'
import type { Entry, Failure } from './stream/entry.ts'
import { fileChange, messageIn, sessionIn, turnUsage } from './stream/entries-in.ts'
import { makeFailure, kindOfStatus, toMilliseconds } from './stream/failure-kind.ts'
import { asAmount, asCount, asList, asObject, asText, sumOf, textIn } from '../util/json-fields.ts'
import type { Fields } from '../util/json-fields.ts'
import { cliAdapter, option, skillsToLoad } from './cli-adapter.ts'
import type { CliTurn } from './cli-adapter.ts'

/**
 * The permission modes. No person can answer permission requests, so Claude Code refuses everything that its mode does
 * not allow. The mode `plan` is not used, because the agent would write a plan and wait for an answer.
 */
const MODES = {
  read: ['--disallowedTools', 'Edit,Write,NotebookEdit', '--permission-mode', 'default'],
  ask: ['--permission-mode', 'default'],
  edit: ['--permission-mode', 'acceptEdits'],
  full: ['--dangerously-skip-permissions'],
} as const

/** The name of the plugin made for a run, and the prefix of its skills. */
const PLUGIN = 'muster'

const QUIET: Environment = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' }

export const adapter = cliAdapter({
  start,
  resumeArguments: (session) => ['--resume', session],
  nativeSkill: ({ at, name }) => (at === 'home' ? `${PLUGIN}:${name}` : at === '.claude' ? name : null),
  entriesIn,
})

function start(job: Job, resumeArgs: readonly string[]): CliTurn {
  const { agent, directory } = job
  const format = ['--output-format', 'stream-json', '--verbose']
  const plugin = pluginOf(job)
  const readable = [...readableFolders(job), ...plugin.folders].map((folder) => `Read(/${asPattern(folder)}/**)`)
  // Without this rule, Claude Code would ask for approval before it loads a skill that lists tools.
  const loadable = skillsToLoad(job).map(({ name }) => `Skill(${PLUGIN}:${name})`)
  const allowed = ['mcp__muster', ...loadable, ...readable]
  const tools = ['--mcp-config', directory.mcp, '--strict-mcp-config', '--allowedTools', ...allowed]
  const options = [
    '-p',
    ...format,
    ...tools,
    ...MODES[agent.permissions],
    ...plugin.folders.flatMap((folder) => ['--plugin-dir', folder]),
    ...option('--model', agent.model),
    ...option('--effort', agent.effort),
  ]
  return {
    args: [...options, ...resumeArgs, ...agent.args],
    files: plugin.files,
    links: plugin.links,
    env: QUIET,
  }
}

/**
 * Turns a path into a pattern. The rules of Claude Code are patterns in brackets. So special characters in a path
 * become `?`, which matches any character.
 */
const asPattern = (folder: string): string => folder.replaceAll(/[\\*?[\]{}()!#,]/g, '?')

/** The plugin folder of a run. Claude Code loads skills for one session from such a folder. */
function pluginOf(job: Job): RunFiles & { readonly folders: readonly string[] } {
  const skills = skillsToLoad(job)
  if (skills.length === 0) return { folders: [], files: [], links: [] }
  const folder = join(job.directory.path, 'plugin')
  const about = { name: PLUGIN, version: '1.0.0', description: 'The skills that this card asks for' }
  const content = `${JSON.stringify(about, null, 2)}\n`
  return {
    folders: [folder],
    files: [{ path: join(folder, '.claude-plugin', 'plugin.json'), content }],
    links: skills.map((skill) => ({ path: join(folder, 'skills', skill.name), target: skill.folder })),
  }
}

function entriesIn(fields: Fields): readonly Entry[] {
  const { type, subtype } = fields
  switch (type) {
    case 'system':
      if (subtype === 'init') return sessionIn(fields['session_id'])
      return subtype === 'api_retry' ? retried(fields) : []
    case 'assistant':
      // A message with an error comes from Claude Code itself, because the model gave no answer.
      if (fields['error'] !== undefined) return errorIn(fields)
      return asList(asObject(fields['message'])?.['content']).flatMap(blockEntries)
    case 'user':
      return asList(asObject(fields['message'])?.['content']).flatMap(resultEntries)
    case 'rate_limit_event':
      return limitIn(asObject(fields['rate_limit_info']) ?? {})
    case 'result':
      return [...usageIn(fields), ...failureIn(fields)]
    default:
      return []
  }
}

const WRITING = ['Edit', 'Write', 'NotebookEdit']

function blockEntries(value: unknown): readonly Entry[] {
  const { type, text, name, input, id: call } = asObject(value) ?? {}
  if (type === 'text') return messageIn(text)
  if (type !== 'tool_use' || typeof name !== 'string') return []
  const changes = fileChange(WRITING, { tool: name, input, call })
  return [{ kind: 'called', tool: name, input, call: asText(call) ?? undefined, changes }]
}

function resultEntries(value: unknown): readonly Entry[] {
  const block = asObject(value)
  if (block?.['type'] !== 'tool_result') return []
  const call = asText(block['tool_use_id']) ?? undefined
  const [ok, text] = [block['is_error'] !== true, textIn(block['content'])]
  return [{ kind: 'returned', ok, text, call, exitCode: ok ? undefined : exitCodeIn(text) }]
}

/** Claude Code writes the exit code of a failed command before its output. */
function exitCodeIn(text: string): number | undefined {
  const code = /^Exit code (\d{1,3})\b/.exec(text)?.[1]
  return code === undefined ? undefined : Number(code)
}

/**
 * The error codes in messages of Claude Code, and the kinds of failure. The result line at the end of a turn has only a
 * status and a text.
 */
const ERRORS: Readonly<Record<string, Failure['kind']>> = {
  authentication_failed: 'auth',
  billing_error: 'billing',
  rate_limit: 'rate_limited',
  overloaded: 'rate_limited',
}

function errorIn({ error, message }: Fields): readonly Entry[] {
  const kind = ERRORS[asText(error) ?? '']
  return kind === undefined ? [] : [{ kind: 'failed', failure: makeFailure(kind, textIn(message)) }]
}

function retried(fields: Fields): readonly Entry[] {
  const kind = kindOfStatus(asCount(fields['error_status']))
  if (kind !== 'rate_limited') return []
  const delay = asAmount(fields['retry_delay_ms'])
  const message = asText(fields['error']) ?? 'rate limit'
  return [{ kind: 'waits', failure: makeFailure(kind, message, delay === null ? null : Date.now() + delay) }]
}

/**
 * The limit of a subscription, with its reset time. The result line at the end of a turn contains this time only as
 * text.
 */
function limitIn({ status, rateLimitType, resetsAt }: Fields): readonly Entry[] {
  if (status !== 'rejected') return []
  const reset = asCount(resetsAt)
  const message = `limit ${asText(rateLimitType) ?? ''}`.trim()
  return [
    { kind: 'failed', failure: makeFailure('rate_limited', message, reset === null ? null : toMilliseconds(reset)) },
  ]
}

function usageIn(fields: Fields): readonly Entry[] {
  const usage = asObject(fields['usage'])
  if (usage === null) return []
  const inputTokens = sumOf(usage, 'input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens')
  return [turnUsage(inputTokens, asCount(usage['output_tokens']), asAmount(fields['total_cost_usd']))]
}

function failureIn(fields: Fields): readonly Entry[] {
  const errors = textIn(fields['errors'])
  const message = asText(fields['result']) ?? (errors === '' ? (asText(fields['subtype']) ?? 'it failed') : errors)
  if (fields['subtype'] === 'error_max_turns') return [{ kind: 'failed', failure: makeFailure('turn_limit', message) }]
  if (fields['is_error'] !== true) return []
  if (fields['terminal_reason'] === 'prompt_too_long')
    return [{ kind: 'failed', failure: makeFailure('context_overflow', message) }]
  return [{ kind: 'failed', failure: classifyFailure(asCount(fields['api_error_status']), message) }]
}

/**
 * Finds the kind of a failure. Older versions write the reset time as `…|<seconds>`. Without a login, Claude Code sends
 * no request, so the error has a text but no status.
 */
function classifyFailure(status: number | null, message: string): Failure {
  const reset = /\|(\d{9,11})\b/.exec(message)?.[1]
  if (reset !== undefined) return makeFailure('rate_limited', message, Number(reset) * 1000)
  if (/prompt is too long|context window/i.test(message)) return makeFailure('context_overflow', message)
  if (status === null && /Please run \/login/.test(message)) return makeFailure('auth', message)
  return makeFailure(kindOfStatus(status), message)
}
