/** Compares attachments and artifacts with their recorded hashes, and finds files that belong to no card. */
import { callFileHelper } from '../../file-helper/call-file-helper.ts'
import type { Finding, RecordedFile, Store } from '../../storage/store.ts'
import { attachmentPath } from '../../workspaces/files/attachment-files.ts'
import type { FileState } from '../../workspaces/files/verify-files.ts'
import { findOrphans } from '../machine/garbage/clear-attachments.ts'
import { shellWord } from '../../util/shell-word.ts'

interface Examined {
  readonly store: Store
  readonly home: string
  readonly signal: AbortSignal | undefined
  readonly onProgress: ((text: string) => void) | undefined
}

/** The number of rows to read at once. Reading in pages limits the memory. */
const PAGE = 200
const PROGRESS_MS = 5_000

export async function examineAttachments(examined: Examined): Promise<Finding[]> {
  return [...(await examineRecorded(examined)), ...(await examineOrphans(examined))]
}

async function examineRecorded({ store, home, signal, onProgress }: Examined): Promise<Finding[]> {
  const findings: Finding[] = []
  let [checked, reportedAt] = [0, performance.now()]
  for (let after: number | null = 0; after !== null;) {
    const page: Awaited<ReturnType<Store['recordedFiles']>> = await store.recordedFiles(after, PAGE)
    const files = page.files.map((file) => ({ ...file, path: attachmentPath(home, file) }))
    const here = files.flatMap(({ path, size, sha256 }) => (path === null ? [] : [{ path, size, sha256 }]))
    const states = await callFileHelper('verifyFiles', { files: here }, { signal })
    const known = new Map(here.map(({ path }, at) => [path, states[at] ?? 'missing']))
    for (const file of files) {
      const state = file.path === null ? 'missing' : (known.get(file.path) ?? 'missing')
      // On PostgreSQL, the file may be in the data folder of another machine.
      if (state === 'sound' || (state === 'missing' && store.engine === 'postgres')) continue
      findings.push(faultOf(file, state))
    }
    checked += files.length
    after = page.next
    if (performance.now() - reportedAt < PROGRESS_MS) continue
    reportedAt = performance.now()
    onProgress?.(`Checked ${checked} attached files.`)
  }
  return findings
}

const STATE_TEXTS: Readonly<Record<Exclude<FileState, 'sound'>, string>> = {
  missing: 'is missing',
  altered: 'was altered since it was attached',
  unreadable: 'cannot be read',
}

function faultOf(
  { board, taskId, filename, path }: RecordedFile & { path: string | null },
  state: keyof typeof STATE_TEXTS,
): Finding {
  const remedy =
    state === 'unreadable'
      ? 'Check the permissions of the file and the disk.'
      : `Put the original file back, or remove it from the card: muster detach ${taskId} ${shellFileName(filename)}`
  return {
    rule: `attachment_${state}`,
    board,
    id: taskId,
    message: `File ${filename} of card ${taskId} ${STATE_TEXTS[state]} (${path ?? 'no path in the data folder'}). ${remedy}`,
    fixed: false,
  }
}

/** Adds `--` before a name that looks like a flag. */
const shellFileName = (name: string): string => `${name.startsWith('-') ? '-- ' : ''}${shellWord(name)}`

async function examineOrphans({ store, home }: Examined): Promise<Finding[]> {
  const boards = await store.boards()
  const orphans = await findOrphans({ store, home, boards, left: [], logsOlderMs: 0 })
  return orphans.map(({ board, path }) => ({
    rule: 'attachment_orphaned',
    board,
    id: null,
    message: `The file ${path} belongs to no card. Delete it, or let muster gc --yes remove it after 30 days.`,
    fixed: false,
  }))
}
