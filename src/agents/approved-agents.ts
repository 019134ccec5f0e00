/**
 * Approvals of agent files in a repository's `.muster/agents/`. Anyone who can write there could make Muster run any
 * program, so a person must approve each file. An approval is valid only for the content that the person approved.
 */
import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readFile } from '../util/guarded-files.ts'
import { replaceFile } from '../util/replace-file.ts'
import { inHome, makePrivateFolder } from '../config/home.ts'
import { sha256 } from '../util/sha256.ts'
import { shellWord } from '../util/shell-word.ts'

export interface ApprovedFile {
  readonly file: string
  readonly sha256: string
}

export const agentsOfRepository = (folder: string): string => join(folder, '.muster', 'agents')

export const repositoryOf = (file: string): string => dirname(dirname(dirname(file)))

/**
 * The path of an approval. Each approval has its own file, so that two approvals at the same time do not overwrite each
 * other.
 */
const approvalFile = (home: string, file: string): string =>
  join(inHome.approvedAgents(home), `${sha256(file)}${SUFFIX}`)

const SUFFIX = '.json'

/** Reads all approvals. A file that does not hold a valid approval is ignored. */
export async function readApprovals(home: string): Promise<readonly ApprovedFile[]> {
  const folder = inHome.approvedAgents(home)
  const names = await readdir(folder).catch(() => [])
  const found = await Promise.all(
    names.filter((name) => name.endsWith(SUFFIX)).map((name) => readApproval(join(folder, name))),
  )
  return found.flatMap((approval) => approval ?? [])
}

async function readApproval(path: string): Promise<ApprovedFile | null> {
  try {
    const { file, sha256: hash } = (JSON.parse(await readFile(path, 'utf8')) ?? {}) as Record<string, unknown>
    return typeof file === 'string' && typeof hash === 'string' ? { file, sha256: hash } : null
  } catch {
    return null
  }
}

/** Stores approvals. A new approval of a file replaces the earlier one. */
export async function addApprovals(home: string, added: readonly ApprovedFile[]): Promise<void> {
  await makePrivateFolder(inHome.approvedAgents(home))
  for (const approval of added) {
    await replaceFile(approvalFile(home, approval.file), `${JSON.stringify(approval, null, 2)}\n`)
  }
}

export const withdrawApproval = (home: string, file: string): Promise<void> =>
  rm(approvalFile(home, file), { force: true })

export const isApproved = (approvals: readonly ApprovedFile[], { file, sha256: hash }: ApprovedFile): boolean =>
  approvals.some((approval) => approval.file === file && approval.sha256 === hash)

export const changedSince = (file: string): string =>
  `it has changed since it was approved: muster agents approve ${shellWord(repositoryOf(file))}`
