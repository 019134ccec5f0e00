import type { Run } from '../../core/run.ts'

/** A run as surfaces show it: whoever may read a card may not act as its worker. */
export const withoutProof = ({
  tokenHash: _tokenHash,
  dispatcher: _dispatcher,
  ...run
}: Run): Omit<Run, 'tokenHash' | 'dispatcher'> => run
