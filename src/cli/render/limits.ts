/** The limits of this machine and its boards, printed when `up` starts. */
import type { Options } from '../../config/load.ts'
import type { Board } from '../../core/board.ts'
import { oneLine } from '../escape.ts'
import { span } from './format-values.ts'

/** Further boards are only counted. */
const LISTED_BOARDS = 10

export function limitLines({ machineCap }: Options, boards: readonly Board[]): string[] {
  const open = boards.filter(({ archivedAt }) => archivedAt === null)
  const left = open.length - LISTED_BOARDS
  return [
    `Running up to ${machineCap} ${machineCap === 1 ? 'card' : 'cards'} at a time.`,
    ...open.slice(0, LISTED_BOARDS).map(boardLine),
    ...(left > 0 ? [`And ${left} more ${left === 1 ? 'board' : 'boards'}.`] : []),
  ]
}

function boardLine({ slug, settings }: Board): string {
  const { defaultAssignee, maxRunning, maxPerAgent, maxPerAccount, failureLimit, attemptsLimit, staleMs } = settings
  const caps = [
    maxRunning === null ? null : `${maxRunning} at a time`,
    maxPerAgent === null ? null : `${maxPerAgent} per agent`,
    maxPerAccount === null ? null : `${maxPerAccount} per account`,
  ].filter((cap) => cap !== null)
  return [
    `Board ${slug}: ${caps.length === 0 ? 'no limits' : caps.join(', ')}`,
    defaultAssignee === null ? 'no default assignee' : `default assignee ${oneLine(defaultAssignee)}`,
    `blocked after ${failureLimit} failures or ${attemptsLimit} attempts`,
    staleMs === 0 ? 'no stale limit.' : `stale after ${span(staleMs)}.`,
  ].join('; ')
}
