/** Selects the runs of a card by status or outcome, and removes their token hashes. */
import { BoardError } from '../../core/errors.ts'
import type { Run } from '../../core/run.ts'
import { OUTCOMES } from '../../core/vocabulary.ts'

export const STATE_TYPES = ['status', 'outcome'] as const
const RUN_STATUSES = ['running', 'ended'] as const

export interface RunState {
  readonly stateType?: (typeof STATE_TYPES)[number]
  readonly stateName?: string
}

export function runFilter({ stateType, stateName }: RunState): (run: Pick<Run, 'outcome'>) => boolean {
  if (stateType === undefined && stateName === undefined) return () => true
  if (stateType === undefined || stateName === undefined)
    throw new BoardError('invalid_input', 'Give both --state-type and --state-name, or neither.')
  const known: readonly string[] = stateType === 'status' ? RUN_STATUSES : OUTCOMES
  if (!known.includes(stateName))
    throw new BoardError('invalid_input', `Unknown ${stateType} ${stateName}. Use one of ${known.join(', ')}.`)
  if (stateType === 'outcome') return ({ outcome }) => outcome === stateName
  return ({ outcome }) => (outcome === null) === (stateName === 'running')
}

/** A run without its token hash, because a reader of a card must not be able to act as its worker. */
export type RunView = Omit<Run, 'tokenHash' | 'dispatcher'>

export const viewRun = ({ tokenHash: _tokenHash, dispatcher: _dispatcher, ...run }: Run): RunView => run
