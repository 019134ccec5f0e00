/** Notices changes of an agent's file without reading it. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { inHome } from '../config/home.ts'

/**
 * How long ago the last change must be. Two changes within one tick of the file system's clock have the same time, so
 * the second one would go unnoticed.
 */
export const SETTLED_MS = 100

/**
 * Returns a text that differs after every change of this agent. Null means that the agent may have changed after
 * `quietSince`. This is also the case for agents in approved repositories, whose files may be anywhere.
 */
export async function agentStamp(home: string, name: string, quietSince = Infinity): Promise<string | null> {
  const folder = inHome.agents(home)
  const [agents, file, approved] = await Promise.all(
    [folder, join(folder, `${name}.md`), inHome.approvedAgents(home)].map((path) => stampOf(path, quietSince)),
  )
  if (agents == null || file == null || approved == null) return null
  if (file === MISSING && approved !== MISSING) return null
  return `${agents} ${file} ${approved}`
}

const MISSING = '-'

async function stampOf(path: string, quietSince: number): Promise<string | null> {
  try {
    const { ino, size, ctimeMs, ctimeNs } = await stat(path, { bigint: true })
    return Number(ctimeMs) > quietSince - SETTLED_MS ? null : `${ino}:${size}:${ctimeNs}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? MISSING : null
  }
}
