/**
 * Helpers for the tests of the board tools: agents that wait while the test calls their tools, and the official MCP
 * client.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { TaskId } from '../../src/core/ids.ts'
import type { McpEntry } from '../../src/harnesses/mcp-entry.ts'
import { appeared } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'

const WAITS = join(import.meta.dirname, '..', 'fixtures', 'agents', 'waits')

/** Writes the file of an agent with tools. `front` adds lines of front matter. */
export function writeToolAgent(home: TestHome, name: string, front = ''): void {
  mkdirSync(join(home.home, 'agents'), { recursive: true })
  const text = `---\nharness: command\nonExit: verdict\nargs: [${WAITS}, "{mcp}"]\n${front}\n---\n`
  writeFileSync(join(home.home, 'agents', `${name}.md`), text)
}

/** Returns a path in the card's workspace. */
async function fileOf(home: TestHome, id: TaskId, name: string): Promise<string> {
  const { path } = (await home.show(id)).workspace
  return path === null ? home.workspace(id, name) : join(path, name)
}

export const letGo = async (home: TestHome, id: TaskId): Promise<void> =>
  writeFileSync(await fileOf(home, id, 'go'), '')

/** Returns the MCP entry of a running card's agent. */
export async function entryOf(home: TestHome, id: TaskId): Promise<McpEntry> {
  const { directory } = await home.liveRun(id)
  await home.until(`${id} has begun`, async () => appeared(await fileOf(home, id, 'begun')))
  const file = JSON.parse(readFileSync(directory.mcp, 'utf8')) as { mcpServers: { muster: McpEntry } }
  return file.mcpServers.muster
}

export interface Tools {
  readonly client: Client
  /** The pid of the process that serves the tools. */
  readonly pid: number
  /** Calls a tool. Returns its result, or `error` if the tool refuses. */
  readonly call: (name: string, given?: Record<string, unknown>) => Promise<Readonly<Record<string, unknown>>>
  readonly close: () => Promise<void>
}

export async function connectTools({ command, args, env }: McpEntry): Promise<Tools> {
  const client = new Client({ name: 'a test', version: '1' })
  const transport = new StdioClientTransport({ command, args: [...args], env: { ...env }, stderr: 'ignore' })
  await client.connect(transport)
  return {
    client,
    pid: transport.pid ?? 0,
    call: async (name, given = {}) => answerOf(await client.callTool({ name, arguments: given })),
    close: () => client.close(),
  }
}

/** Checks that text and structured content are equal, because some clients read only one of them. */
function answerOf({
  content,
  structuredContent,
  isError,
}: Awaited<ReturnType<Client['callTool']>>): Readonly<Record<string, unknown>> {
  const [part] = content
  const text = part?.type === 'text' ? part.text : ''
  if (isError === true) return { error: text }
  if (JSON.stringify(structuredContent) !== text)
    throw new Error(`the text differs from the structured content: ${text}`)
  return structuredContent as Readonly<Record<string, unknown>>
}
