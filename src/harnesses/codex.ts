/** Runs Codex without interaction: it reads the briefing on standard input and prints one JSON object per line. */
import { join } from 'node:path'
import type { Job } from './harness.ts'
import { toolsCommand } from './mcp-entry.ts'
import type { Entry, Failure } from './stream/entry.ts'
import { messageIn, sessionIn } from './stream/entries-in.ts'
import { makeFailure, kindOfStatus, retryTimeIn } from './stream/failure-kind.ts'
import { asCount, asList, asObject, asText, textIn } from '../util/json-fields.ts'
import type { Fields } from '../util/json-fields.ts'
import { cliAdapter, option } from './cli-adapter.ts'
import type { CliTurn } from './cli-adapter.ts'
import { readUserFile } from './user-folder.ts'

/**
 * The sandbox for each permission. No person can answer permission requests, so Codex enforces the permissions in its
 * own sandbox.
 */
const SANDBOXES = {
  read: ['--sandbox', 'read-only'],
  ask: ['--sandbox', 'read-only'],
  edit: ['--sandbox', 'workspace-write'],
  full: ['--dangerously-bypass-approvals-and-sandbox'],
} as const

/**
 * The settings of Muster's tool server. The board's tools are always allowed, so that the agent can report its result.
 */
const SERVER = 'required=true,default_tools_approval_mode="approve"'

export const adapter = cliAdapter({
  start,
  resumeArguments: (session) => ['resume', session],
  // Codex loads skills by `$name` in the prompt, and only from its own folders.
  nativeSkill: ({ at, name }) => (at === '.agents' ? `$${name}` : null),
  entriesIn,
})

function start(job: Job, resumeArgs: readonly string[]): CliTurn {
  const { agent } = job
  const { command, args } = toolsCommand(job)
  const settings = [
    `mcp_servers.muster={command=${toml(command)},args=[${args.map(toml).join(',')}],${SERVER}}`,
    ...trustOf(job),
    ...(agent.provider === null ? [] : [`model_provider=${toml(agent.provider)}`]),
    ...(agent.effort === null ? [] : [`model_reasoning_effort=${toml(agent.effort)}`]),
    ...gatewayOf(job),
  ]
  const sandbox = ['--skip-git-repo-check', ...SANDBOXES[agent.permissions]]
  const options = [
    'exec',
    '--json',
    ...sandbox,
    ...option('--model', agent.model),
    ...settings.flatMap((setting) => ['-c', setting]),
  ]
  return { args: [...options, ...agent.args, ...resumeArgs, '-'] }
}

/**
 * Marks the workspace as trusted for this run, if the agent may write to it. Otherwise Codex would add each worktree to
 * the user's settings.
 */
const trustOf = ({ agent, workspace }: Job): readonly string[] =>
  agent.permissions === 'edit' || agent.permissions === 'full'
    ? [`projects={${toml(workspace)}={trust_level="trusted"}}`]
    : []

/**
 * Passes the address of a gateway as a setting. Codex 0.166 ignores the variable, so it would send the gateway's key to
 * OpenAI. Without a key no address is passed, because a login of Codex is not for the gateway. An address in the user's
 * settings takes precedence.
 */
function gatewayOf({ env }: Pick<Job, 'env'>): readonly string[] {
  const { OPENAI_BASE_URL: address, CODEX_API_KEY: key, CODEX_HOME: folder, HOME: home = '/' } = env
  if (!address || !key) return []
  const settings = readUserFile(join(folder || join(home, '.codex'), 'config.toml')) ?? ''
  return /^[ \t]*["']?openai_base_url["']?[ \t]*=/m.test(settings) ? [] : [`openai_base_url=${toml(address)}`]
}

/** Formats a text for TOML. A JSON string is also a valid basic string in TOML. */
const toml = (text: string): string => JSON.stringify(text)

function entriesIn(fields: Fields): readonly Entry[] {
  switch (fields['type']) {
    case 'thread.started':
      return sessionIn(fields['thread_id'])
    case 'item.started':
      return callIn(asObject(fields['item']) ?? {})
    case 'item.completed':
      return itemEntries(asObject(fields['item']) ?? {})
    case 'turn.completed':
      return usageIn(asObject(fields['usage']))
    case 'turn.failed':
      return [{ kind: 'failed', failure: classifyFailure(textIn(fields['error'])) }]
    case 'error': {
      const message = asText(fields['message']) ?? ''
      const failure = classifyFailure(message)
      return message.startsWith('Reconnecting') && failure.kind === 'rate_limited' ? [{ kind: 'waits', failure }] : []
    }
    default:
      return []
  }
}

function callIn(item: Fields): readonly Entry[] {
  const call = asText(item['id']) ?? undefined
  if (item['type'] === 'command_execution') return [{ kind: 'called', tool: 'shell', input: item['command'], call }]
  if (item['type'] !== 'mcp_tool_call') return []
  const tool = `${asText(item['server'])}.${asText(item['tool'])}`
  return [{ kind: 'called', tool, input: item['arguments'], call }]
}

function itemEntries(item: Fields): readonly Entry[] {
  const call = asText(item['id']) ?? undefined
  switch (item['type']) {
    case 'agent_message':
      return messageIn(item['text'])
    case 'command_execution': {
      const [text, exitCode] = [asText(item['aggregated_output']) ?? '', asCount(item['exit_code']) ?? undefined]
      return [{ kind: 'returned', ok: exitCode === 0, text, call, exitCode }]
    }
    case 'mcp_tool_call': {
      const text = textIn(item['result'] ?? item['error'])
      return [{ kind: 'returned', ok: item['status'] === 'completed', text, call }]
    }
    case 'file_change':
      return asList(item['changes']).flatMap((change): readonly Entry[] => {
        const path = asText(asObject(change)?.['path'])
        return path === null ? [] : [{ kind: 'changed', path }]
      })
    default:
      return []
  }
}

/**
 * The usage of a turn. Codex reports the total of the session, so the usage of a resumed turn includes all earlier
 * turns.
 */
function usageIn(usage: Fields | null): readonly Entry[] {
  if (usage === null) return []
  const [inputTokens, outputTokens] = [asCount(usage['input_tokens']), asCount(usage['output_tokens'])]
  return [{ kind: 'usage', of: 'session', usage: { inputTokens, outputTokens, costUsd: null } }]
}

const CODEX_LIMITED = /usage limit|rate limit exceeded|model is at capacity/i
/** Matches messages about a key without credit, or a plan that does not include Codex. */
const CODEX_UNPAID = /quota exceeded|with your ChatGPT plan, upgrade/i

/**
 * Classifies a failure by its text. Codex gives the server's status only in the text, and its own errors have no
 * status.
 */
function classifyFailure(message: string): Failure {
  const status = /(?:last status:|unexpected status) (\d{3})/.exec(message)?.[1]
  if (status !== undefined) return makeFailure(kindOfStatus(Number(status)), message, retryTimeIn(message))
  if (CODEX_LIMITED.test(message)) return makeFailure('rate_limited', message, retryTimeIn(message))
  if (CODEX_UNPAID.test(message)) return makeFailure('billing', message)
  if (/context window|context length/i.test(message)) return makeFailure('context_overflow', message)
  if (/not logged in|log in again|refresh token/i.test(message)) return makeFailure('auth', message)
  return makeFailure('other', message)
}
