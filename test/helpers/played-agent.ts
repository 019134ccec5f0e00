/** Agents that a test plays: the test reads their briefing, reports for them over the socket of the run, and ends them. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { RunId, TaskId } from '../../src/core/ids.ts'
import type { Run } from '../../src/core/run.ts'
import type { McpEntry } from '../../src/harnesses/mcp-entry.ts'
import type { SocketAnswer } from '../../src/runs/socket/protocol.ts'
import { appeared } from './cli.ts'
import type { TestHome } from './cli.ts'
import { writeAgent } from './run-cards.ts'

const PROGRAM = join(import.meta.dirname, '..', 'fixtures', 'agents', 'follows-orders')

export function writePlayedAgents(home: TestHome, ...names: readonly string[]): void {
  for (const name of names)
    writeAgent(home, name, `harness: command\nonExit: verdict\nargs: [${PROGRAM}, "{mcp}"]`, `You are ${name}.`)
}

export interface PlayedRun {
  readonly id: RunId
  readonly supervisor: number
  /** The variables with which a command of this run reaches its supervisor. */
  readonly variables: Readonly<Record<string, string>>
  /** The variables that Muster set for the agent. */
  readonly environment: Readonly<Record<string, string>>
  readonly briefing: string
  /** Sends an operation to the supervisor. Without `task` in the input, it is about the card of the run. */
  ask(operation: string, input?: Readonly<Record<string, unknown>>): Promise<SocketAnswer>
  /** Ends the agent with a line of shell. */
  end(order?: string): Promise<void>
}

/** Waits until the agent of a card waits for an order. */
export async function playRun(home: TestHome, task: TaskId): Promise<PlayedRun> {
  const { run, supervisor, directory } = await home.liveRun(task)
  const path = (name: string): string => home.workspace(task, `${name}-${run.id}`)
  await home.until(`the agent of ${task} has begun`, () => appeared(path('begun')))
  const { env } = (JSON.parse(readFileSync(directory.mcp, 'utf8')) as { mcpServers: { muster: McpEntry } }).mcpServers
    .muster
  return {
    id: run.id,
    supervisor,
    variables: env,
    environment: variablesIn(readFileSync(path('environment'), 'utf8')),
    briefing: readFileSync(path('briefing'), 'utf8'),
    ask: (op, input = {}) => ask(env, op, { task, ...input }),
    end: (order = 'exit 0') => writeFile(path('orders'), `${order}\n`),
  }
}

const variablesIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

async function ask({ MUSTER_SOCKET = '', MUSTER_NONCE = '' }: McpEntry['env'], op: string, input: object) {
  const socket = createConnection(MUSTER_SOCKET)
  const lines = createInterface(socket)
  socket.write(`${JSON.stringify({ v: 1, id: 1, nonce: MUSTER_NONCE, op, input })}\n`)
  const [line] = (await once(lines, 'line')) as [string]
  socket.destroy()
  return JSON.parse(line) as SocketAnswer
}

/** Completes the card of a run, as its agent would do, and ends the agent. */
export async function finishRun(run: PlayedRun, input: Readonly<Record<string, unknown>>): Promise<void> {
  const answer = await run.ask('complete', input)
  if ('error' in answer) throw new Error(answer.error.message)
  await run.end()
}

/** The runs of a card, the first attempt first. */
export const byAttempt = (runs: readonly Run[]): readonly Run[] => runs.toSorted((a, b) => a.attempt - b.attempt)
