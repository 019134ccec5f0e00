import { BoardError } from '../../core/errors.ts'
import { nearest } from '../../util/nearest.ts'
import { readRoster } from '../../agents/roster.ts'
import { defineOperation } from '../shared/operation.ts'
import type { BoardContext } from '../shared/operation.ts'
import { findPause, findPauseTarget } from './pauses.ts'

export const pauseWork = defineOperation({
  name: 'pause',
  kind: 'command',
  actor: 'person',
  scope: 'store',
  summary: 'Pause a board, an agent, an account or a machine. Nothing new starts; running cards continue.',
  schemas: ({ z, line, time, pauseView, pauseTarget }) => ({
    input: z.object({
      ...pauseTarget,
      reason: line.nullable().default(null).describe('Why, for the history'),
      until: time.nullable().default(null).describe('When the pause ends'),
    }),
    output: pauseView.extend({
      /** Whether this machine has an agent or account with this name. If not, the name may be misspelled. */
      known: z.boolean(),
      /** The known name that is most similar to an unknown name. Null means that the name is known. */
      meant: z.string().nullable(),
    }),
  }),
  run: async (context, { reason, until, ...typed }) => {
    const { store, board, actor } = context
    const { kind, name } = await findPauseTarget(context, typed)
    const outcome =
      kind === 'account'
        ? await store.decide({
            verb: 'pause_account',
            board,
            actor,
            input: { account: name, cause: 'person', reason, until },
          })
        : await store.decide({ verb: 'pause', board, actor, input: { kind, name, reason, until } })
    if (!outcome.ok) throw outcome.error
    const paused = await findPause(store, { kind, name })
    if (paused === null)
      throw new BoardError(
        'wrong_status',
        `The ${kind} ${name} was resumed by another command. To pause it, try again.`,
      )
    const names = await knownNames(context, kind)
    const known = names === null || names.includes(name)
    return { ...paused, known, meant: known ? null : nearest(name, names) }
  },
})

/** The names that this machine knows. An unknown name is not an error, because other machines have their own agents. */
async function knownNames({ options }: BoardContext, kind: string): Promise<readonly string[] | null> {
  if (kind !== 'agent' && kind !== 'account') return null
  const { agents } = await readRoster(options.home)
  if (kind === 'agent') return [...agents.keys()]
  return [...new Set([...agents.values()].flatMap(({ account }) => (account === null ? [] : [account])))]
}
