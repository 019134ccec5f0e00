import { unwrap } from '../../core/command.ts'
import { TOKEN_SCOPES } from '../../core/token.ts'
import { hashToken, newToken, newTokenId } from '../../util/mint.ts'
import { defineOperation } from '../shared/operation.ts'

/** Every token starts with this text, so people and secret scanners recognize it. */
const PREFIX = 'muster_'

export const createToken = defineOperation({
  name: 'tokens create',
  kind: 'command',
  actor: 'person',
  scope: 'store',
  summary: 'Create a token with which a program may use the HTTP API.',
  schemas: ({ z, line, time, tokenView }) => ({
    input: z.object({
      name: line.describe('The name of the program, which the history shows'),
      scope: z.enum(TOKEN_SCOPES).default('read').describe('What the program may do: read, operate or admin'),
      expiresAt: time.nullable().default(null).describe('When the token expires; null: never'),
    }),
    output: tokenView.extend({
      /** The token itself. It is shown only once, because the store has only the hash of the token. */
      token: z.string(),
    }),
  }),
  run: async ({ store, board, actor }, { name, scope, expiresAt }) => {
    const token = `${PREFIX}${newToken()}`
    const input = { id: newTokenId(), kind: 'token' as const, name, scope, hash: hashToken(token), expiresAt }
    const created = unwrap(await store.decide({ verb: 'create_token', board, actor, input }))
    return { ...created, lastUsedAt: null, token }
  },
})
