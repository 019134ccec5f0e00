import { SLOT_KINDS } from '../../core/vocabulary.ts'
import { defineOperation } from '../shared/operation.ts'
import { findPause, findPauseTarget } from './pauses.ts'

export const resumeWork = defineOperation({
  name: 'resume',
  kind: 'command',
  actor: 'person',
  scope: 'store',
  summary: 'Resume a board, an agent, an account or a machine after a pause.',
  schemas: ({ z, line, pauseTarget }) => ({
    input: z.object(pauseTarget),
    output: z.object({
      kind: z.enum(SLOT_KINDS),
      name: line,
      /** Whether a pause was in effect before. */
      wasPaused: z.boolean(),
    }),
  }),
  run: async (context, typed) => {
    const { store, board, actor } = context
    const { kind, name } = await findPauseTarget(context, typed)
    const before = await findPause(store, { kind, name })
    const outcome =
      kind === 'account'
        ? await store.decide({ verb: 'resume_account', board, actor, input: { account: name } })
        : await store.decide({ verb: 'resume', board, actor, input: { kind, name } })
    if (!outcome.ok) throw outcome.error
    return { kind, name, wasPaused: before !== null }
  },
})
