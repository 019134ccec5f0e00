import type { Outputs } from '../../../src/client/index.ts'

/** The card that is planned, with everything that `show` returns. */
export type IdeaCard = Outputs['show']
