import { unwrap } from '../../core/command.ts'
import { BoardError } from '../../core/errors.ts'
import type { Token } from '../../core/token.ts'
import type { Store } from '../../storage/store.ts'
import { defineOperation } from '../shared/operation.ts'
import { viewOfToken } from './views.ts'

export const revokeToken = defineOperation({
  name: 'tokens revoke',
  kind: 'command',
  actor: 'person',
  scope: 'store',
  summary: 'Revoke a token or end the session of a browser.',
  schemas: ({ z, tokenView }) => ({
    input: z.object({ token: z.string().describe('The id or the name of a token') }),
    output: tokenView,
  }),
  run: async ({ store, board, actor }, { token: typed }) => {
    const token = await findToken(store, typed.trim())
    unwrap(await store.decide({ verb: 'revoke_token', board, actor, input: { id: token.id, name: token.name } }))
    return viewOfToken(token)
  },
})

async function findToken(store: Pick<Store, 'tokens'>, typed: string): Promise<Token> {
  const tokens = await store.tokens()
  const found = tokens.filter(({ id, name }) => id === typed || name === typed)
  const [only, second] = found
  if (only === undefined)
    throw new BoardError('token_not_found', `There is no token ${typed}. To list tokens: muster tokens`, {
      details: { token: typed },
    })
  if (second !== undefined)
    throw new BoardError('ambiguous_id', `${found.length} tokens are named ${typed}. Use the id: muster tokens`, {
      details: { ids: found.map(({ id }) => id) },
    })
  return only
}
