import { basename } from 'node:path'
import type { GarbageReport } from '../../operations/machine/views.ts'
import { oneLine } from '../escape.ts'
import { size } from './words.ts'

const counted = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`  ${count} ${count === 1 ? one : many}`]

const SHOWN_COPIES = 10

const shortened = (copies: readonly string[]): readonly string[] =>
  copies.length <= SHOWN_COPIES
    ? copies
    : [...copies.slice(0, SHOWN_COPIES), `copied  ${copies.length - SHOWN_COPIES} more: muster snapshots '…'`]

/** What went or would go, kind by kind; long lists are for `--json`. */
export function garbageLines(report: GarbageReport): string {
  const { applied, events, trash, deletedBoards, workspaces, snapshots, left, bytes } = report
  const { runDirectories, attachments, storeLogs } = report
  const kinds = [
    ...counted(events, 'old event of a finished card', 'old events of finished cards'),
    ...counted(trash.length, 'card from the trash', 'cards from the trash'),
    ...counted(deletedBoards.length, 'folder of a deleted board', 'folders of deleted boards'),
    ...counted(workspaces.length, 'workspace of a finished card', 'workspaces of finished cards'),
    ...counted(snapshots.length, 'old snapshot of a workspace', 'old snapshots of workspaces'),
    ...counted(runDirectories.length, 'directory of a run that is over', 'directories of runs that are over'),
    ...counted(attachments.length, 'file that no card knows', 'files that no card knows'),
    ...counted(storeLogs.length, 'log of an earlier store', 'logs of earlier stores'),
  ]
  const copies = workspaces.flatMap(({ path, snapshot, uncopied }) => [
    ...(snapshot === null ? [] : [`copied  ${oneLine(basename(path))}: ${oneLine(snapshot)}`]),
    ...(uncopied === null ? [] : [`no copy ${oneLine(basename(path))}: ${oneLine(uncopied)}`]),
  ])
  const rest = left.map(({ path, reason }) => `left    ${oneLine(path)}: ${oneLine(reason)}`)
  if (kinds.length === 0) return ['Nothing to clear away.', ...rest].join('\n')
  const all = `  ${size(bytes)} of files in all`
  return [applied ? 'Removed:' : 'Would remove:', ...kinds, all, ...shortened(copies), ...rest].join('\n')
}
