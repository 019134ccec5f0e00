/**
 * Speaks with an agent of the Agent Client Protocol for one turn of a run: between the agent, which it starts, and the
 * log, where it writes down what happens. Bundled as one file, and started with the file that says whom to start and
 * what for (harnesses/acp/acp-job.ts).
 */
// oxlint-disable-next-line muster/powers -- this process opens no store
import { readFileSync, writeSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import packageFile from '../../package.json' with { type: 'json' }
import { ownEnvironment } from '../config/environment.ts'
import type { AcpJob } from '../harnesses/acp/acp-job.ts'
import { recorderTo } from '../harnesses/acp/record.ts'
import { untilAskedToStop } from '../processes/shutdown.ts'
import { startConversing } from '../processes/spawn.ts'
import type { Conversing } from '../processes/spawn.ts'
import { LogLines } from '../harnesses/stream/log-lines.ts'

/** Time for an agent that has nothing more to do to end. After that its supervisor ends it. */
const END_MS = 1_000
const WORDS_LENGTH = 300

/** Synchronous, so that no output is lost if this process dies. */
function write(text: string): void {
  for (let bytes = Buffer.from(text); bytes.length > 0;) bytes = bytes.subarray(writeSync(1, bytes))
}

let lastOutput: string | null = null
const recorder = recorderTo(write)
const stop = untilAskedToStop()

function print(line: string): void {
  const words = line.trim()
  if (words !== '') lastOutput = words.slice(0, WORDS_LENGTH)
  recorder.print(line)
}

/** Line by line, so that a record never splits a line of the agent. */
function printErrors({ errors }: Conversing): Promise<void> {
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

async function speak(job: AcpJob, agent: Conversing): Promise<boolean> {
  const printed = printErrors(agent)
  // Loaded while the agent starts, which takes longer.
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
  const isWell = await converse(talk)
  agent.input.end()
  await Promise.race([Promise.all([agent.exited, printed]), sleep(END_MS, undefined, { ref: false })])
  agent.release()
  return isWell
}

async function run(): Promise<boolean> {
  const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as AcpJob
  const { program, args, workspace } = job
  try {
    return await speak(job, await startConversing({ program, args, cwd: workspace, env: ownEnvironment() }))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    recorder.record({ acp: 'failed', during: 'start', message: `${basename(program)} could not be started: ${why}.` })
    return false
  }
}

void run().then((isWell) => {
  process.exitCode = isWell ? 0 : stop.aborted ? Number(stop.reason) : 1
})
