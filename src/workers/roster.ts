/** Who can work here: the agent files of the home, and the built-in `shell`. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { inHome } from '../config/home.ts'
import type { Agent } from './agent.ts'
import { SHELL_AGENT, parseAgent } from './agent.ts'

export interface Roster {
  readonly agents: ReadonlyMap<string, Agent>
  /** Files that name no usable agent, each with why. */
  readonly faults: readonly { readonly file: string; readonly fault: string }[]
}

/** Read anew by every pass: an edited file counts at once, and a home has few of them. */
export async function readRoster(home: string): Promise<Roster> {
  const files = await agentFiles(inHome.agents(home))
  const agents = new Map<string, Agent>([[SHELL_AGENT.name, SHELL_AGENT]])
  const faults: { file: string; fault: string }[] = []
  if (files.length === 0) return { agents, faults }
  const { parse } = await import('yaml')
  for (const file of files) {
    const agent = parseAgent(await readFile(file, 'utf8'), basename(file, '.md'), (text): unknown => parse(text))
    if (typeof agent === 'string') faults.push({ file, fault: agent })
    else agents.set(agent.name, agent)
  }
  return { agents, faults }
}

async function agentFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((file) => file.endsWith('.md') && !file.startsWith('.'))
    .toSorted()
    .map((file) => join(folder, file))
}
