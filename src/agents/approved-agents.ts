/**
 * Approvals of agent files in the folder `.muster/agents/` of a repository. Anyone who can write to that folder could
 * make Muster run any program, so a person must approve each file. An approval is valid only for the content that the
 * person approved.
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
 * Returns the path of an approval. Each approval has its own file, so that two processes can add approvals at the same
 * time.
 */
const approvalFile = (folder: string, file: string): string => join(folder, `${sha256(file)}${SUFFIX}`)

const SUFFIX = '.json'

/** Reads all approvals in a folder. Files without a valid approval are ignored. */
export async function readApprovalsIn(folder: string): Promise<readonly ApprovedFile[]> {
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

/** Stores approvals in a folder. A new approval of a file replaces the old one. */
export async function addApprovalsIn(folder: string, added: readonly ApprovedFile[]): Promise<void> {
  await makePrivateFolder(folder)
  for (const approval of added) {
    await replaceFile(approvalFile(folder, approval.file), `${JSON.stringify(approval, null, 2)}\n`)
  }
}

export const readApprovals = (home: string): Promise<readonly ApprovedFile[]> =>
  readApprovalsIn(inHome.approvedAgents(home))

export const addApprovals = (home: string, added: readonly ApprovedFile[]): Promise<void> =>
  addApprovalsIn(inHome.approvedAgents(home), added)

export const withdrawApproval = (home: string, file: string): Promise<void> =>
  rm(approvalFile(inHome.approvedAgents(home), file), { force: true })

export const isApproved = (approvals: readonly ApprovedFile[], { file, sha256: hash }: ApprovedFile): boolean =>
  approvals.some((approval) => approval.file === file && approval.sha256 === hash)

export const changedSince = (file: string): string =>
  `it has changed since it was approved: muster agents approve ${shellWord(repositoryOf(file))}`
