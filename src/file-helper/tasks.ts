/**
 * The tasks of the file helper, by name. Input and value are sent as JSON. Tasks run in a process that has no store
 * open, so they may open any file. This file must not import a store.
 */
import { readResult } from '../runs/files/result-file-reader.ts'
import type { TurnMark } from '../runs/files/result-file-reader.ts'
import { readLogPiece } from '../runs/log/read-log-piece.ts'
import type { LogPlace } from '../runs/log/read-log-piece.ts'
import { hashContent } from './probes/content-hash.ts'
import type { Content, HashLimits } from './probes/content-hash.ts'
import { probeFile } from './probes/file-probe.ts'
import { probeJson } from './probes/json-probe.ts'
import { readChanges } from './probes/read-changes.ts'
import type { ChangesRequest } from './probes/read-changes.ts'
import { attachCopy } from '../workspaces/files/attachment-files.ts'
import { readAttachmentPiece } from '../workspaces/files/read-attachment.ts'
import type { AttachmentPiece } from '../workspaces/files/read-attachment.ts'
import { examineFolder } from '../workspaces/files/examine-folder.ts'
import type { Declared } from '../workspaces/files/examine-folder.ts'
import { archiveFolder, snapshotWorktree } from '../workspaces/files/snapshots.ts'
import type { Measured } from '../workspaces/files/snapshots.ts'
import { stageArtifacts } from '../workspaces/files/stage-artifacts.ts'
import type { StagePlace } from '../workspaces/files/stage-artifacts.ts'
import { verifyFiles } from '../workspaces/files/verify-files.ts'
import type { ExpectedFile } from '../workspaces/files/verify-files.ts'
import type { CardLocation } from '../workspaces/workspace.ts'
import { readTemplateFiles } from './probes/template-files.ts'

export interface FileJob {
  /** The signal that aborts when the caller no longer waits. */
  readonly signal: AbortSignal
  readonly report: (progress: unknown) => void
}

interface Attaching {
  readonly place: CardLocation
  readonly name: string
  readonly path: string
  readonly store: string
}

export const FILE_TASKS = {
  hashContent: ({ limits, ...content }: Content & { limits?: HashLimits }, { signal }: FileJob) =>
    hashContent(content, { ...(limits && { limits }), signal }),
  probeFile: ({ root, glob }: { root: string; glob: string }) => probeFile(root, glob),
  probeJson: ({ root, file, schema }: { root: string; file: string; schema: string | null }) =>
    probeJson(root, file, schema),
  readChanges: (request: ChangesRequest) => readChanges(request),
  readResult: (mark: TurnMark) => readResult(mark),
  attachCopy: (attaching: Attaching) => attachCopy(attaching),
  readAttachmentPiece: (piece: AttachmentPiece) => readAttachmentPiece(piece),
  readLogPiece: (place: LogPlace) => readLogPiece(place),
  stageArtifacts: ({ place, paths }: { place: StagePlace; paths: readonly string[] }) => stageArtifacts(place, paths),
  examineFolder: ({ folder, declared }: { folder: string; declared: Declared }) => examineFolder(folder, declared),
  archiveFolder: ({ place, folder, measured }: { place: CardLocation; folder: string; measured: Measured }) =>
    archiveFolder(place, folder, measured),
  snapshotWorktree: ({ place, folder, repo }: { place: CardLocation; folder: string; repo: string }) =>
    snapshotWorktree(place, folder, repo),
  readTemplateFiles: ({ folder, mostBytes }: { folder: string; mostBytes: number }) =>
    readTemplateFiles(folder, mostBytes),
  verifyFiles: ({ files }: { files: readonly ExpectedFile[] }, { signal }: FileJob) => verifyFiles(files, signal),
} as const

export type FileTasks = typeof FILE_TASKS
