/** Runs OpenCode without interaction: it reads the briefing on standard input and prints one JSON object per line. */
import type { Job } from '../harness.ts'
import { toolsCommand } from '../mcp-entry.ts'
import type { Entry, Failure } from '../stream/entry.ts'
import { messageIn, sessionIn } from '../stream/entries-in.ts'
import { makeFailure, kindOfStatus } from '../stream/failure-kind.ts'
import { asAmount, asCount, asObject, asText, sumOf, textIn } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'
import { cliAdapter, option, skillsToLoad } from '../cli-adapter.ts'
import type { CliTurn } from '../cli-adapter.ts'
import { opencodeRules } from './rules.ts'
import { changesByOpencode } from './user-files.ts'
import { PRINTS_LOG, loggedByOpencode } from './log.ts'

export const adapter = cliAdapter({
  start,
  resumeArguments: (session) => ['--session', session],
  nativeSkill: ({ at, name }) => (at === 'elsewhere' ? null : name),
  entriesIn,
  prose: loggedByOpencode,
})

function start(job: Job, resumeArgs: readonly string[]): CliTurn {
  const { agent } = job
  const { command, args } = toolsCommand(job)
  const loaded = skillsToLoad(job)
  const config = {
    ...opencodeRules(job),
    ...(loaded.length === 0 ? {} : { skills: { paths: loaded.map(({ folder }) => folder) } }),
    mcp: { muster: { type: 'local', command: [command, ...args], enabled: true } },
  }
  const format = ['--format', 'json', ...PRINTS_LOG]
  const options = ['run', ...format, ...option('--model', modelOf(agent)), ...option('--variant', agent.effort)]
  return {
    args: [...options, ...resumeArgs, ...agent.args],
    unwantedChanges: changesByOpencode(job),
    env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(config) },
  }
}

const modelOf = ({ model, provider }: Job['agent']): string | null =>
  model === null || provider === null ? model : `${provider}/${model}`

function entriesIn(fields: Fields): readonly Entry[] {
  const part = asObject(fields['part']) ?? {}
  const named = sessionIn(fields['sessionID'])
  switch (fields['type']) {
    case 'step_start':
      return [...named, { kind: 'answers' }]
    case 'text':
      // Synthetic text comes from OpenCode itself, after it has shortened the conversation. The agent did not write
      // such text.
      return part['synthetic'] === true ? named : [...named, ...messageIn(part['text'])]
    case 'tool_use':
      return [...named, ...toolEntries(part)]
    case 'step_finish':
      return [...named, ...usageIn(part)]
    case 'error': {
      const error = asObject(fields['error']) ?? {}
      // If an error has a `ref`, only the log has its cause (log.ts).
      if (asText(asObject(error['data'])?.['ref']) !== null) return named
      return [...named, { kind: 'failed', failure: classifyFailure(error) }]
    }
    default:
      return named
  }
}

function toolEntries(part: Fields): readonly Entry[] {
  const state = asObject(part['state']) ?? {}
  const tool = asText(part['tool']) ?? 'tool'
  const ok = state['status'] !== 'error'
  const text = textIn(ok ? state['output'] : state['error'])
  const metadata = asObject(state['metadata']) ?? {}
  const exitCode = asCount(metadata['exit']) ?? undefined
  const call = asText(part['callID']) ?? undefined
  const path = ok ? asText(metadata['filepath']) : null
  const changed: readonly Entry[] =
    path !== null && (tool === 'write' || tool === 'edit') ? [{ kind: 'changed', path }] : []
  return [
    { kind: 'called', tool, input: state['input'], call },
    { kind: 'returned', ok, text, call, exitCode },
    ...changed,
  ]
}

function usageIn(part: Fields): readonly Entry[] {
  const tokens = asObject(part['tokens'])
  if (tokens === null) return []
  const cache = asObject(tokens['cache']) ?? {}
  const inputTokens = sumOf(tokens, 'input') + sumOf(cache, 'read', 'write')
  const outputTokens = sumOf(tokens, 'output', 'reasoning')
  return [{ kind: 'usage', of: 'step', usage: { inputTokens, outputTokens, costUsd: asAmount(part['cost']) } }]
}

function classifyFailure(error: Fields): Failure {
  const data = asObject(error['data']) ?? {}
  const message = asText(data['message']) ?? asText(error['name']) ?? 'it failed'
  if (error['name'] === 'ProviderAuthError') return makeFailure('auth', message)
  if (error['name'] === 'ContextOverflowError') return makeFailure('context_overflow', message)
  const seconds = Number(asText(asObject(data['responseHeaders'])?.['retry-after']) ?? Number.NaN)
  const retryAt = Number.isFinite(seconds) ? Date.now() + seconds * 1000 : null
  return makeFailure(kindOfStatus(asCount(data['statusCode'])), message, retryAt)
}
