/**
 * Runs one turn of an agent that uses the Agent Client Protocol: starts the agent, exchanges messages with it, and
 * writes the conversation to the log. This entry is bundled as one file. Its argument is the path of the job file
 * (harnesses/acp/acp-job.ts).
 */
// oxlint-disable-next-line muster/powers -- this process opens no store
import { readFileSync, writeSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import packageFile from '../../package.json' with { type: 'json' }
import { ownEnvironment } from '../config/environment.ts'
import type { AcpJob } from '../harnesses/acp/acp-job.ts'
import { recorderTo } from '../harnesses/acp/record.ts'
import { abortOnShutdown } from '../processes/shutdown.ts'
import { startInteractive } from '../processes/spawn.ts'
import type { InteractiveProcess } from '../processes/spawn.ts'
import { LogLines } from '../harnesses/stream/log-lines.ts'

/** The time within which an agent must exit after its turn. Then the supervisor ends the agent. */
const END_MS = 1_000
const LAST_OUTPUT_LENGTH = 300

/** Writes to standard output. The write is synchronous, so that no output is lost if this process dies. */
function write(text: string): void {
  for (let bytes = Buffer.from(text); bytes.length > 0;) bytes = bytes.subarray(writeSync(1, bytes))
}

let lastOutput: string | null = null
const recorder = recorderTo(write)
const stop = abortOnShutdown()

function print(line: string): void {
  const text = line.trim()
  if (text !== '') lastOutput = text.slice(0, LAST_OUTPUT_LENGTH)
  recorder.print(line)
}

/** Prints the agent's error output in whole lines, so that no log record splits a line. */
function printErrors({ errors }: InteractiveProcess): Promise<void> {
  const lines = new LogLines()
  const shown = (text: string | null): void => print(text ?? '(a line of more than 4 MB was left out)')
  errors.on('data', (bytes: Buffer) => {
    for (const { text } of lines.take(bytes)) shown(text)
  })
  return new Promise((resolve) => {
    errors.once('close', () => {
      const last = lines.end()
      if (last !== null) shown(last.text)
      resolve()
    })
  })
}

async function speak(job: AcpJob, agent: InteractiveProcess): Promise<boolean> {
  const printed = printErrors(agent)
  // This module is loaded while the agent starts, so loading it costs no time.
  const { converse } = await import('../harnesses/acp/converse.ts')
  const { version } = packageFile
  const talk = {
    job,
    agent,
    recorder: { ...recorder, print },
    version,
    stop,
    lastOutput: () => lastOutput,
  }
  const succeeded = await converse(talk)
  agent.input.end()
  await Promise.race([Promise.all([agent.exited, printed]), sleep(END_MS, undefined, { ref: false })])
  agent.release()
  return succeeded
}

async function runAcpTurn(): Promise<boolean> {
  const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as AcpJob
  const { program, args, workspace } = job
  try {
    return await speak(job, await startInteractive({ program, args, cwd: workspace, env: ownEnvironment() }))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    recorder.record({ acp: 'failed', during: 'start', message: `${basename(program)} could not be started: ${why}.` })
    return false
  }
}

void runAcpTurn().then((succeeded) => {
  process.exitCode = succeeded ? 0 : stop.aborted ? Number(stop.reason) : 1
})
