/** What a dispatcher keeps to, said once when it begins. */
import type { Options } from '../../config/load.ts'
import type { Board } from '../../core/board.ts'
import { oneLine } from '../escape.ts'
import { span } from './words.ts'

/** More boards than that are only counted. */
const TOLD = 10

export function limitLines({ machineCap, dispatcherLeaseMs, sweepMs }: Options, boards: readonly Board[]): string[] {
  const open = boards.filter(({ archivedAt }) => archivedAt === null)
  const left = open.length - TOLD
  return [
    `Machine: ${machineCap} at once; looks every ${span(sweepMs)}; lease ${span(dispatcherLeaseMs)}.`,
    ...open.slice(0, TOLD).map(boardLine),
    ...(left > 0 ? [`And ${left} more ${left === 1 ? 'board' : 'boards'}.`] : []),
  ]
}

function boardLine({ slug, settings }: Board): string {
  const { defaultAssignee, maxRunning, maxPerAgent, maxPerAccount, failureLimit, attemptsLimit, staleMs } = settings
  const caps = [
    maxRunning === null ? null : `${maxRunning} at once`,
    maxPerAgent === null ? null : `${maxPerAgent} per agent`,
    maxPerAccount === null ? null : `${maxPerAccount} per account`,
  ].filter((cap) => cap !== null)
  return [
    `Board ${slug}: ${caps.length === 0 ? 'no caps of its own' : caps.join(', ')}`,
    defaultAssignee === null ? 'no default assignee' : `default assignee ${oneLine(defaultAssignee)}`,
    `blocked after ${failureLimit} failures or ${attemptsLimit} attempts`,
    staleMs === 0 ? 'never stale.' : `stale after ${span(staleMs)}.`,
  ].join('; ')
}
