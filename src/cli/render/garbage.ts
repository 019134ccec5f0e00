import { basename } from 'node:path'
import type { GarbageReport } from '../../operations/machine/views.ts'
import { oneLine } from '../output/escape.ts'
import { size } from './format-values.ts'

const counted = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`  ${count} ${count === 1 ? one : many}`]

const SHOWN_COPIES = 10

const shortened = (copies: readonly string[]): readonly string[] =>
  copies.length <= SHOWN_COPIES
    ? copies
    : [...copies.slice(0, SHOWN_COPIES), `copied  ${copies.length - SHOWN_COPIES} more: muster snapshots '…'`]

/** Formats the number of deleted items of each kind. `--json` has the full lists. */
export function garbageLines(report: GarbageReport): string {
  const { applied, events, trash, deletedBoards, workspaces, snapshots, left, bytes } = report
  const { runDirectories, attachments, storeLogs } = report
  const kinds = [
    ...counted(events, 'old event of a finished card', 'old events of finished cards'),
    ...counted(trash.length, 'card from the trash', 'cards from the trash'),
    ...counted(deletedBoards.length, 'folder of a deleted board', 'folders of deleted boards'),
    ...counted(workspaces.length, 'workspace of a finished card', 'workspaces of finished cards'),
    ...counted(snapshots.length, 'old snapshot of a workspace', 'old snapshots of workspaces'),
    ...counted(runDirectories.length, 'folder of an ended run', 'folders of ended runs'),
    ...counted(attachments.length, 'unreferenced attachment', 'unreferenced attachments'),
    ...counted(storeLogs.length, 'log of an earlier store', 'logs of earlier stores'),
  ]
  const copies = workspaces.flatMap(({ path, snapshot, uncopied }) => [
    ...(snapshot === null ? [] : [`copied  ${oneLine(basename(path))}: ${oneLine(snapshot)}`]),
    ...(uncopied === null ? [] : [`no copy ${oneLine(basename(path))}: ${oneLine(uncopied)}`]),
  ])
  const rest = left.map(({ path, reason }) => `kept    ${oneLine(path)}: ${oneLine(reason)}`)
  if (kinds.length === 0) return ['Nothing to delete.', ...rest].join('\n')
  const all = `  ${size(bytes)} of files in total`
  return [applied ? 'Deleted:' : 'Would delete:', ...kinds, all, ...shortened(copies), ...rest].join('\n')
}
