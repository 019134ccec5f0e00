/** Builds the terminal commands that do the same as the actions. */
import { isRunning } from '../../../../src/core/status.ts'
import type { CardDetails } from '../card-details.ts'
import { legalActions } from './legal-actions.ts'
import type { CardAction } from './legal-actions.ts'

type Shown = Parameters<typeof legalActions>[0] & Pick<CardDetails, 'id' | 'runs'>

/**
 * Actions whose terminal command has another name or needs a text. `…` stands for the part that the person must fill
 * in.
 */
const LINES: Partial<Record<CardAction, (id: string) => string>> = {
  'force-approve': (id) => `approve ${id} --force --reason '…'`,
  'request-changes': (id) => `request-changes ${id} '…'`,
  answer: (id) => `answer ${id} '…'`,
  block: (id) => `block ${id} '…'`,
  schedule: (id) => `schedule ${id} --at '…'`,
}

export function commandLines(card: Shown): readonly string[] {
  const { id, runs, status } = card
  const hasLog = runs.some(({ kind }) => kind === 'agent')
  const reads = [
    `show ${id}`,
    `why ${id}`,
    ...(hasLog ? [isRunning(status) ? `log ${id} --follow` : `log ${id}`] : []),
    ...(card.workspace.kind === 'worktree' && card.workspace.base !== null ? [`diff ${id}`, `checkout ${id}`] : []),
    `comment ${id} '…'`,
  ]
  const writes = legalActions(card).map((action) => LINES[action]?.(id) ?? `${action} ${id}`)
  return [...reads, ...writes].map((line) => `muster ${line}`)
}
