/**
 * Agents that a repository brings along, in its `.muster/agents/`. Whoever can write there could give them any
 * instruction and any program, so each counts only as long as it holds what somebody has looked at and approved.
 */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inHome, makePrivateFolder } from '../config/home.ts'

export interface Approval {
  readonly file: string
  readonly sha256: string
}

export const agentsOfRepository = (folder: string): string => join(folder, '.muster', 'agents')

const repositoryOf = (file: string): string => dirname(dirname(dirname(file)))

/** A list that cannot be read approves nothing. */
export async function readApprovals(home: string): Promise<readonly Approval[]> {
  const text = await readFile(inHome.approvedAgents(home), 'utf8').catch(() => null)
  if (text === null) return []
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.filter(isApproval) : []
  } catch {
    return []
  }
}

function isApproval(value: unknown): value is Approval {
  const { file, sha256: hash } = (value ?? {}) as Record<string, unknown>
  return typeof file === 'string' && typeof hash === 'string'
}

/** What is approved anew replaces what was approved of the same file. */
export async function addApprovals(home: string, added: readonly Approval[]): Promise<void> {
  const files = new Set(added.map(({ file }) => file))
  await writeApprovals(home, [...(await readApprovals(home)).filter(({ file }) => !files.has(file)), ...added])
}

export const withdrawApproval = async (home: string, withdrawn: string): Promise<void> =>
  writeApprovals(
    home,
    (await readApprovals(home)).filter(({ file }) => file !== withdrawn),
  )

async function writeApprovals(home: string, list: readonly Approval[]): Promise<void> {
  await makePrivateFolder(home)
  const path = inHome.approvedAgents(home)
  await writeFile(`${path}.tmp`, `${JSON.stringify(list, null, 2)}\n`, { mode: 0o600 })
  await rename(`${path}.tmp`, path)
}

export const isApproved = (approvals: readonly Approval[], { file, sha256: hash }: Approval): boolean =>
  approvals.some((approval) => approval.file === file && approval.sha256 === hash)

/** What is said of a file that holds something else by now. */
export const changedSince = (file: string): string => `it has changed since it was approved: ${approving(file)}`

/** What shows such a file, and how to approve it. */
export const approving = (file: string): string => `muster agents approve ${repositoryOf(file)}`
