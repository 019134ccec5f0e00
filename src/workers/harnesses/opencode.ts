/** OpenCode, not interactively: the briefing on standard input, one JSON object per line out. */
import type { Job } from '../harness.ts'
import { toolsCommand } from '../mcp-entry.ts'
import { handedOver } from '../skills/skill-folders.ts'
import type { Entry, Failure } from '../stream/entry.ts'
import { saidIn, sessionIn } from '../stream/entries-in.ts'
import { LIMITED, failed, kindOfStatus, waitIn } from '../stream/failure-kind.ts'
import { asAmount, asCount, asObject, asText, sumOf, wordsIn } from '../stream/json-line.ts'
import type { Fields } from '../stream/json-line.ts'
import { cliHarness, option } from './cli-harness.ts'
import type { CliTurn } from './cli-harness.ts'
import { opencodeRules } from './opencode-rules.ts'
import { keptByOpencode } from './opencode-files.ts'

export const opencodeHarness = cliHarness({
  program: 'opencode',
  start,
  resuming: (session) => ['--session', session],
  nativeSkill: ({ at, name }) => (at === 'elsewhere' ? null : name),
  modelFault: (model, provider) =>
    model === null || provider !== null || model.includes('/')
      ? null
      : `OpenCode asks for a model as provider/model, and ${model} names no provider.`,
  entriesIn,
  prose: retried,
})

function start(job: Job, how: readonly string[]): CliTurn {
  const { agent } = job
  const { command, args } = toolsCommand(job)
  const handed = handedOver(job)
  const config = {
    ...opencodeRules(job),
    ...(handed.length === 0 ? {} : { skills: { paths: handed.map(({ folder }) => folder) } }),
    mcp: { muster: { type: 'local', command: [command, ...args], enabled: true } },
  }
  const printed = ['--format', 'json', '--print-logs', '--log-level', 'ERROR']
  const options = ['run', ...printed, ...option('--model', modelOf(agent)), ...option('--variant', agent.effort)]
  return {
    args: [...options, ...how, ...agent.args],
    keeps: keptByOpencode(job),
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
      return [...named, ...saidIn(part['text'])]
    case 'tool_use':
      return [...named, ...toolEntries(part)]
    case 'step_finish':
      return [...named, ...usageIn(part)]
    case 'error':
      return [...named, { kind: 'failed', failure: toldFailure(asObject(fields['error']) ?? {}) }]
    default:
      return named
  }
}

function toolEntries(part: Fields): readonly Entry[] {
  const state = asObject(part['state']) ?? {}
  const tool = asText(part['tool']) ?? 'tool'
  const ok = state['status'] !== 'error'
  const text = wordsIn(ok ? state['output'] : state['error'])
  const path = ok ? asText(asObject(state['metadata'])?.['filepath']) : null
  const changed: readonly Entry[] =
    path !== null && (tool === 'write' || tool === 'edit') ? [{ kind: 'changed', path }] : []
  return [{ kind: 'called', tool, input: state['input'] }, { kind: 'returned', ok, text }, ...changed]
}

function usageIn(part: Fields): readonly Entry[] {
  const tokens = asObject(part['tokens'])
  if (tokens === null) return []
  const cache = asObject(tokens['cache']) ?? {}
  const inputTokens = sumOf(tokens, 'input') + sumOf(cache, 'read', 'write')
  const outputTokens = sumOf(tokens, 'output', 'reasoning')
  return [{ kind: 'usage', whole: false, usage: { inputTokens, outputTokens, costUsd: asAmount(part['cost']) } }]
}

/** Of its retries it tells only in its log, where the model's server is quoted: no status, and no time. */
function retried(line: string): readonly Entry[] {
  if (!/^timestamp=\S+ level=ERROR /.test(line)) return []
  const [, told] = line.split(' message="stream error" ', 2)
  if (told === undefined || !/\bsmall=false\b/.test(told)) return []
  const message = /\berror\.error="((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? ''
  return LIMITED.test(message) ? [{ kind: 'waits', failure: failed('rate_limited', message, waitIn(message)) }] : []
}

function toldFailure(error: Fields): Failure {
  const data = asObject(error['data']) ?? {}
  const message = asText(data['message']) ?? asText(error['name']) ?? 'it failed'
  if (error['name'] === 'ProviderAuthError') return failed('auth', message)
  if (error['name'] === 'ContextOverflowError') return failed('context_overflow', message)
  const seconds = Number(asText(asObject(data['responseHeaders'])?.['retry-after']) ?? Number.NaN)
  const retryAt = Number.isFinite(seconds) ? Date.now() + seconds * 1000 : null
  return failed(kindOfStatus(asCount(data['statusCode'])), message, retryAt)
}
