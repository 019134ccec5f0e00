import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inHome } from '../../config/home.ts'
import { BoardError } from '../../core/errors.ts'
import type { TaskId } from '../../core/ids.ts'
import { isSatisfied } from '../../core/status.ts'
import { sweepFiles } from '../../file-helper/call-file-helper.ts'
import { sweepProcess } from '../../workspaces/sweep/sweep-process.ts'
import { thisHost } from '../../processes/identity.ts'
import { diskUsage } from '../../workspaces/sweep/remove-entry.ts'
import { readProtectedPaths } from '../../workspaces/sweep/remove-folder.ts'
import { NO_COPY, sweepWorkspace } from '../../workspaces/sweep/sweep-workspace.ts'
import { clearAttachments } from './garbage/clear-attachments.ts'
import { clearBoards } from './garbage/clear-boards.ts'
import { clearEvents } from './garbage/clear-events.ts'
import { clearRuns } from './garbage/clear-runs.ts'
import { clearSnapshots } from './garbage/clear-snapshots.ts'
import { clearStoreLogs } from './garbage/clear-store-logs.ts'
import { clearTrash } from './garbage/clear-trash.ts'
import { clearWorkspaces } from './garbage/clear-workspaces.ts'
import type { GcContext } from './garbage/gc-context.ts'
import type { GarbageReport } from './views.ts'
import { defineOperation } from '../shared/operation.ts'
import { requireBoard } from '../boards/require-board.ts'
import { resolveTask } from '../shared/resolve-task.ts'

export const collectGarbage = defineOperation({
  name: 'gc',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Delete old events, logs, trash and leftover files.',
  schemas: ({ z, duration, slug, garbageReport, cardRef }) => ({
    input: z.object({
      apply: z.boolean().default(false).describe('Delete the items; without this flag, only list them'),
      eventsOlderMs: duration.describe('Delete events of finished cards older than this'),
      logsOlderMs: duration.describe('Delete run logs and leftover files older than this'),
      snapshotsOlderMs: duration.describe('Delete snapshots older than this, except the newest of each card'),
      discard: cardRef.nullable().default(null).describe('Delete the workspace of this card, even if it was kept'),
      board: slug.nullable().default(null).describe('Only files of this board'),
    }),
    output: garbageReport,
  }),
  run: async ({ options, actor, openStore }, { apply, board, discard, ...retention }) => {
    const store = await openStore(apply ? 'write' : 'read')
    try {
      if (board !== null) await requireBoard(store, board)
      const all = await store.boards()
      const boards = all.filter(({ slug }) => board === null || slug === board)
      const now = await store.now()
      const { home, workspaceStaysMs: staysMs, workspaceStaysBytes: staysBytes } = options
      const host = thisHost()
      const here = {
        machine: host.machine.id,
        process: sweepProcess(host),
        files: sweepFiles,
        protectedPaths: readProtectedPaths(store, all),
      }
      const stays = { staysMs, staysBytes }
      const gc = { store, home, actor, boards, board, now, apply, left: [], ...stays, ...here, ...retention }
      return discard === null ? await clearAll(gc, options.store) : await discardWorkspace(gc, discard)
    } finally {
      await store.close()
    }
  },
})

/** The time to wait for a dispatcher that is removing the same folder as this command. */
const WAIT_MS = 60_000

const NOTHING = {
  events: 0,
  trash: [],
  deletedBoards: [],
  workspaces: [],
  snapshots: [],
  runDirectories: [],
  attachments: [],
  storeLogs: [],
}

/** Deletes the workspace of one card and nothing else. */
async function discardWorkspace(gc: GcContext, typed: string): Promise<GarbageReport> {
  const { board, id } = await resolveTask(gc.store, typed)
  const path = join(inHome.workspaces(gc.home, board), id)
  if (!(await canBeDiscarded(gc.store, { board, id, path })))
    return { ...NOTHING, applied: gc.apply, left: [], bytes: 0 }
  const bytes = await diskUsage(path)
  const report = {
    ...NOTHING,
    applied: gc.apply,
    left: gc.left,
    bytes,
    workspaces: [{ path, bytes, ...NO_COPY }],
  }
  if (!gc.apply) return report
  const { state, reason, snapshot, uncopied } = await sweepWorkspace(
    gc,
    { board, id },
    { discard: true, waitMs: WAIT_MS },
  )
  if (state !== 'gone')
    throw new BoardError('not_allowed', `The workspace of ${id} was kept: ${reason}`, { details: { id } })
  const left = reason === null ? gc.left : [{ path, reason }]
  // If no bytes were deleted and there is a reason, another machine has the files.
  if (reason !== null && bytes === 0) return { ...report, workspaces: [], left }
  return { ...report, workspaces: [{ path, bytes, snapshot, uncopied }], left }
}

/** Throws an error if the card, or a card that depends on it, may still need the files. */
async function canBeDiscarded(
  store: GcContext['store'],
  { board, id, path }: { readonly board: string; readonly id: TaskId; readonly path: string },
): Promise<boolean> {
  const task = await store.task(board, id)
  if (task === null) return false
  const child = await store.unfinishedChild(board, id)
  const { kind, state, owner } = task.workspace
  const why =
    kind === 'dir'
      ? 'it is your own directory'
      : owner !== null
        ? `it belongs to card ${owner}. To delete it: muster gc --discard ${owner} --yes`
        : !isSatisfied(task.status)
          ? `the card is ${task.status}; only the workspace of a done or archived card can be discarded`
          : child === null
            ? null
            : `card ${child} may still need its files`
  if (why !== null) throw new BoardError('not_allowed', `The workspace of ${id} was kept: ${why}.`, { details: { id } })
  return state !== 'gone' && (state !== 'none' || existsSync(path))
}

/**
 * Deletes everything that is no longer needed. Events are deleted last, because the other steps read from the events
 * which cards existed.
 */
async function clearAll(gc: GcContext, location: string): Promise<GarbageReport> {
  const trash = await clearTrash(gc)
  const deletedBoards = await clearBoards(gc)
  const workspaces = await clearWorkspaces(gc)
  const snapshots = await clearSnapshots(gc)
  const runDirectories = await clearRuns(gc)
  const attachments = await clearAttachments(gc)
  const storeLogs = await clearStoreLogs(gc, location)
  const events = await clearEvents(gc)
  const folders = [...trash, ...deletedBoards, ...workspaces, ...snapshots, ...runDirectories]
  const files = [...folders, ...attachments, ...storeLogs]
  return {
    applied: gc.apply,
    events,
    trash,
    deletedBoards,
    workspaces,
    snapshots,
    runDirectories,
    attachments,
    storeLogs,
    left: gc.left,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}
