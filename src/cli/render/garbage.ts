import type { GarbageReport } from '../../operations/collect-garbage.schema.ts'
import { oneLine } from '../escape.ts'
import { size } from './words.ts'

const counted = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`  ${count} ${count === 1 ? one : many}`]

/** What went or would go, kind by kind; long lists are for `--json`. */
export function garbageLines(report: GarbageReport): string {
  const { applied, events, trash, deletedBoards, workspaces, runDirectories, attachments, left, bytes } = report
  const kinds = [
    ...counted(events, 'old event of a finished card', 'old events of finished cards'),
    ...counted(trash.length, 'card from the trash', 'cards from the trash'),
    ...counted(deletedBoards.length, 'folder of a deleted board', 'folders of deleted boards'),
    ...counted(workspaces.length, 'workspace of a finished card', 'workspaces of finished cards'),
    ...counted(runDirectories.length, 'directory of a run that is over', 'directories of runs that are over'),
    ...counted(attachments.length, 'file that no card knows', 'files that no card knows'),
  ]
  const rest = left.map(({ path, reason }) => `left    ${oneLine(path)}: ${oneLine(reason)}`)
  if (kinds.length === 0) return ['Nothing to clear away.', ...rest].join('\n')
  return [applied ? 'Removed:' : 'Would remove:', ...kinds, `  ${size(bytes)} of files in all`, ...rest].join('\n')
}
