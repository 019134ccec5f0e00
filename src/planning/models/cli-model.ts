/** Asks a model through an installed agent CLI, with the login of the user. Each question starts a new process. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../config/environment.ts'
import type { CliChoice } from '../../config/models.ts'
import { durationText } from '../../core/duration.ts'
import { firstLine } from '../../core/text.ts'
import { loadHarness } from '../../harnesses/index.ts'
import { launchOneShot } from '../../harnesses/one-shot.ts'
import type { OneShotLaunch } from '../../harnesses/one-shot.ts'
import { restoreChangedFiles } from '../../harnesses/restore-changed-files.ts'
import type { Entry, Failure } from '../../harnesses/stream/entry.ts'
import { EMPTY_SUMMARY, addEntry, lastFailure } from '../../harnesses/stream/turn-summary.ts'
import { allowedEnvironment } from '../../processes/environment.ts'
import { findProgram } from '../../processes/find-program.ts'
import { runProgram } from '../../processes/run-program.ts'
import type { ProgramResult } from '../../processes/run-program.ts'
import { writeRunFiles } from '../../harnesses/write-run-files.ts'
import { failure } from './answer.ts'
import type { Exchange, ModelFailureKind, ModelUsage, Reply, Transport } from './answer.ts'

/** The maximum size of the output, which contains the answer and status messages of the CLI. */
const MAX_BYTES = 4 * 1024 * 1024

export function cliModel(choice: CliChoice, env: Environment): Transport {
  const label = `The model of ${choice.cli}`
  return { label, send: (exchange) => send(exchange, { choice, env, label }) }
}

interface Asked {
  readonly choice: CliChoice
  readonly env: Environment
  readonly label: string
}

async function send(exchange: Exchange, { choice, env, label }: Asked): Promise<Reply> {
  const { cli, model, section, keyEnv, timeoutMs } = choice
  const program = findProgram(cli, env['PATH'])
  if (program === null)
    return failure(
      'unconfigured',
      `${section} uses ${cli}, which is not installed here. Install it, or change ${section} in config.yaml.`,
    )
  const root = await mkdtemp(join(tmpdir(), 'muster-ask-'))
  try {
    const [folder, files] = [join(root, 'work'), join(root, 'files')]
    for (const path of [folder, files]) await mkdir(path)
    const allowed = allowedEnvironment(env, keyEnv === null ? [] : [keyEnv])
    const launch = launchOneShot(cli, { model, folder, files, env: allowed })
    const started = performance.now()
    const result = await run(
      program,
      { launch, files },
      {
        cwd: folder,
        env: { ...allowed, ...launch.env },
        stdin: promptOf(exchange),
        timeoutMs,
        wholeGroup: true,
        maxBytes: MAX_BYTES,
        signal: exchange.signal,
      },
    )
    const isTimeout = result.code === null && performance.now() - started >= timeoutMs
    return await replyFrom(result, { choice, env, label }, isTimeout)
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function run(
  program: string,
  { launch, files }: { readonly launch: OneShotLaunch; readonly files: string },
  call: Parameters<typeof runProgram>[2],
): Promise<ProgramResult> {
  await writeRunFiles({ path: files }, { files: launch.files ?? [], links: launch.links ?? [] })
  const kept = { kept: join(files, 'kept'), toolsOwner: join(files, 'tools-owner') }
  const restorer = await restoreChangedFiles(launch.unwantedChanges ?? [], kept)
  try {
    return await runProgram(program, launch.args, call)
  } finally {
    await restorer.stop()
  }
}

/** A CLI takes a single prompt, so a correction repeats the whole conversation. */
const promptOf = ({ instructions, turns }: Exchange): string =>
  [
    `${instructions}\nUse no tools.`,
    ...turns.map(({ role, text }) => (role === 'user' ? text : `Your earlier answer was:\n${text}`)),
  ].join('\n\n')

async function replyFrom(result: ProgramResult, { choice, label }: Asked, isTimeout: boolean): Promise<Reply> {
  const { cli, model, section, timeoutMs } = choice
  const entries = await entriesIn(result, cli)
  const summary = entries.reduce(addEntry, EMPTY_SUMMARY)
  const usage: ModelUsage | null = summary.usage === null ? null : { model: model ?? cli, ...summary.usage }
  const reported = lastFailure(summary)
  if (reported !== null) return failure(KINDS[reported.kind], failureText(reported, { cli, label, section }), usage)
  if (isTimeout)
    return failure(
      'timed_out',
      `${label} gave no answer within ${durationText(timeoutMs)}. Raise ${section}.timeout, or choose a faster model.`,
      usage,
    )
  const text = textOf(entries)
  if (result.code !== 0 || text === '') {
    const why = firstLine(result.stderr, 300) || (result.code === 0 ? 'it printed no answer' : `exit ${result.code}`)
    return failure('refused', `${label} failed: ${why.replace(/\.$/, '')}. Check it with: muster agents check`, usage)
  }
  return {
    ok: true,
    text,
    usage: usage ?? { model: model ?? cli, inputTokens: null, outputTokens: null, costUsd: null },
  }
}

/** Some CLIs report failures on standard error. */
async function entriesIn({ stdout, stderr }: ProgramResult, cli: CliChoice['cli']): Promise<readonly Entry[]> {
  const { readLine } = await loadHarness(cli)
  const lines = [...stdout.toString('utf8').split('\n'), ...stderr.split('\n')]
  return lines.flatMap((line) => readLine?.(line) ?? [])
}

const textOf = (entries: readonly Entry[]): string =>
  entries
    .flatMap((entry) => (entry.kind === 'said' ? [entry] : []))
    .reduce(
      (text, { text: piece, isContinuation = false }) => `${text}${isContinuation || text === '' ? '' : '\n'}${piece}`,
      '',
    )

const KINDS: Readonly<Record<Failure['kind'], ModelFailureKind>> = {
  rate_limited: 'rate_limited',
  billing: 'rate_limited',
  auth: 'auth',
  context_overflow: 'refused',
  permission: 'refused',
  turn_limit: 'refused',
  other: 'refused',
}

function failureText(
  { kind, message }: Failure,
  { cli, label, section }: { readonly cli: string; readonly label: string; readonly section: string },
): string {
  const why = firstLine(message, 300).replace(/\.$/, '')
  switch (kind) {
    case 'rate_limited':
    case 'billing':
      return `${label} has reached a limit (${why}). Try again later, or choose another model.`
    case 'auth':
      return `${label} is not logged in (${why}). Log in with ${cli}, or name the variable with its key in ${section}.keyEnv.`
    default:
      return `${label} failed: ${why}. Check ${section}.model.`
  }
}
