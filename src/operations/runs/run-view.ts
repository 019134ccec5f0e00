import type { Run } from '../../core/run.ts'

/** Without what proves ownership: whoever may read a card may not act as its worker. */
export type RunView = Omit<Run, 'tokenHash' | 'dispatcher'>

export const viewRun = ({ tokenHash: _tokenHash, dispatcher: _dispatcher, ...run }: Run): RunView => run
