/** Measures the cost of the board tools: tokens in the prompt, the start of the shim, and each call. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { encode } from 'gpt-tokenizer'
import { GUIDANCE } from '../src/core/briefing/guidance.ts'
import type { Run } from '../src/core/run.ts'
import { toolsFor } from '../src/mcp/tool-list.ts'
import { PROTOCOL_VERSION } from '../src/runs/socket/protocol.ts'
import { runDirectoryAt } from '../src/runs/files/run-directory.ts'
import type { McpEntry } from '../src/harnesses/mcp-entry.ts'
import { waitUntil } from '../src/processes/wait-until.ts'
import { newTaskId } from '../src/util/mint.ts'
import { childEnvironment } from '../test/helpers/processes.ts'
import { startUp } from './programs/up.ts'
import type { Up } from './programs/up.ts'
import { memory } from './programs/memory.ts'
import { info, median, ratio } from './report.ts'

const SHIM = fileURLToPath(new URL('../dist/mcp.js', import.meta.url))
const STARTS = 40
const CALLS = 600
const WARM_UP = 100
/** The number of calls of an ordinary run. */
const FEW = 30

export async function benchMcp(): Promise<void> {
  countTokens()
  measureStart()
  const up = await startUp()
  try {
    await measureCalls(up)
  } finally {
    await up.stop()
  }
}

function countTokens(): void {
  ratio('mcp-tokens', encode(JSON.stringify(toolsFor('worker'))).length, '<=2500')
  info(`the worker's instructions: ${encode(GUIDANCE.worker).length} tokens`)
}

/** Measures both programs from start to exit; the shim also answers `initialize`. */
function measureStart(): void {
  const env = { ...childEnvironment(), MUSTER_RUN: 'r_bench', MUSTER_SOCKET: '/nowhere', MUSTER_NONCE: 'none' }
  const times: { node: number[]; shim: number[] } = { node: [], shim: [] }
  for (let round = 0; round < STARTS; round += 1) {
    times.node.push(timed(() => spawnSync(process.execPath, ['-e', '0'], { env })))
    times.shim.push(
      timed(() => {
        const { stdout } = spawnSync(process.execPath, [SHIM, 'worker'], { env, input: INITIALIZE, encoding: 'utf8' })
        if (!stdout.includes('serverInfo')) throw new Error(`the shim did not answer: ${stdout}`)
      }),
    )
  }
  ratio('mcp-start', median(times.shim) / median(times.node), '<=1.6')
  info(`shim ${median(times.shim).toFixed(1)} ms, node -e 0 ${median(times.node).toFixed(1)} ms`)
}

const request = (id: number, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`

const INITIALIZE = request(0, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
})

function timed(act: () => unknown): number {
  const started = performance.now()
  act()
  return performance.now() - started
}

/**
 * Measures calls alternately in one live run. A bare round trip is a request on the supervisor's socket that it refuses
 * without reading its store. A heartbeat is a durable commit, so it is compared with the same commit by this process,
 * which has the store open.
 */
async function measureCalls(up: Up): Promise<void> {
  const { entry, run } = await startRun(up)
  const pid = run.identity?.pid ?? 0
  const { MUSTER_SOCKET: path = '', MUSTER_NONCE: nonce = '' } = entry.env
  const socket = createConnection(path)
  const shim = spawn(entry.command, entry.args, { env: entry.env, stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    const [bare, tools] = [lineClient(socket, socket), lineClient(shim.stdout, shim.stdin)]
    await tools(INITIALIZE)
    const call = (name: string) => async (id: number) => {
      const answer = await tools(request(id, 'tools/call', { name, arguments: {} }))
      if (!answer.includes('structuredContent')) throw new Error(`${name} answered ${answer}`)
    }
    const line = (id: number): string =>
      `${JSON.stringify({ v: PROTOCOL_VERSION, id, nonce, op: 'nothing', input: {} })}\n`
    const fence = { runId: run.id, tokenHash: run.tokenHash ?? '' }
    const before = memory(pid)
    for (let id = 0; id < FEW; id += 1) await call('kanban_show')(id)
    const few = memory(pid)
    const times = await alternate({
      bare: (id) => bare(line(id)),
      commit: () => up.decide('heartbeat', { task: run.taskId, fence, note: null }),
      show: call('kanban_show'),
      heartbeat: call('kanban_heartbeat'),
    })
    const after = memory(pid)
    ratio('mcp-call', times.show / times.bare, '<=5')
    ratio('mcp-call-write', times.heartbeat / times.commit, '<=5')
    for (const [name, ms] of Object.entries(times)) info(`${name}: ${(ms * 1000).toFixed(0)} µs`)
    const [first, then, last] = [before, few, after].map(({ pss }) => pss.toFixed(1))
    info(`supervisor: ${first} MB PSS before the first call, ${then} MB after ${FEW}, ${last} MB after all`)
  } finally {
    shim.kill()
    socket.destroy()
    // The hold keeps the card from starting again.
    await up.decide('hold', { task: run.taskId })
    process.kill(pid, 'SIGTERM')
    await waitUntil(up.store, async () => (await up.store.openRuns(null)).length === 0 || null, PATIENCE)
  }
}

const PATIENCE = { forMs: 30_000, everyMs: 100 }

async function startRun(up: Up): Promise<{ entry: McpEntry; run: Run }> {
  const agents = join(up.home, 'agents')
  mkdirSync(agents, { recursive: true })
  writeFileSync(join(agents, 'sleeper.md'), '---\nharness: command\nargs: [sh, -c, "exec sleep 600", "{mcp}"]\n---\n')
  const cards = [{ id: newTaskId(), title: 'sleeps', assignee: 'sleeper', body: 'A typical body.' }]
  await up.decide('create', { cards })
  const found = async () => {
    const [run] = await up.store.openRuns(null)
    if (run?.identity == null || run.logPath === null) return null
    const { mcp } = runDirectoryAt(join(run.logPath, '..'))
    try {
      const { mcpServers } = JSON.parse(readFileSync(mcp, 'utf8')) as { mcpServers: { muster: McpEntry } }
      return { entry: mcpServers.muster, run }
    } catch {
      return null
    }
  }
  const live = await waitUntil(up.store, found, PATIENCE)
  if (live === null) throw new Error('the run did not start')
  return live
}

/** Returns a function that sends one line and waits for one line. */
function lineClient(input: Readable, output: Writable): (line: string) => Promise<string> {
  const waiting: ((line: string) => void)[] = []
  createInterface({ input }).on('line', (line) => waiting.shift()?.(line))
  return (line) =>
    new Promise((resolve) => {
      waiting.push(resolve)
      output.write(line)
    })
}

/** Runs the acts alternately and returns the median of each in milliseconds. */
async function alternate<Name extends string>(
  acts: Readonly<Record<Name, (id: number) => Promise<unknown>>>,
): Promise<Record<Name, number>> {
  const named = Object.entries(acts) as [Name, (id: number) => Promise<unknown>][]
  const times = new Map<Name, number[]>(named.map(([name]) => [name, []]))
  for (let id = 1; id <= WARM_UP + CALLS; id += 1)
    for (const [name, act] of named) {
      const started = performance.now()
      await act(id)
      if (id > WARM_UP) times.get(name)?.push(performance.now() - started)
    }
  return Object.fromEntries(named.map(([name]) => [name, median(times.get(name) ?? [])])) as Record<Name, number>
}
