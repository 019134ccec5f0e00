import * as z from 'zod'
import { actorName } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Refused } from '../decision.ts'
import { TOKEN_ID } from '../ids.ts'
import { line, time } from '../input/fields.ts'
import { TOKEN_KINDS, TOKEN_SCOPES } from '../token.ts'

const tokenId = z.string().regex(TOKEN_ID, 'is not a token id')
const hash = z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256')

/**
 * In the history, a prefix such as `agent:` names the kind of a program. The name of a token must not look like such a
 * prefix.
 */
const tokenName = line.refine(
  (name) => !name.includes(':') && name.length <= 64,
  'must have 1-64 characters, without :',
)

const onlyPeople = (actor: Actor): Refused | null =>
  actor.kind === 'person' ? null : refuse('not_allowed', 'Only a person may manage tokens.')

export const createToken = defineVerb({
  name: 'create_token',
  input: z.object({
    id: tokenId,
    kind: z.enum(TOKEN_KINDS),
    name: tokenName,
    scope: z.enum(TOKEN_SCOPES),
    hash,
    secretHash: hash.nullable().default(null),
    expiresAt: time.nullable().default(null),
  }),
  scope: () => ({}),
  decide: ({ input, actor, now }) => {
    const { id, kind, name, scope, expiresAt } = input
    return (
      onlyPeople(actor) ??
      accept(
        { id, kind, name, scope, createdBy: actorName(actor), createdAt: now, expiresAt },
        {
          changes: [
            { op: 'delete_expired_tokens', before: now },
            { op: 'put_token', row: { ...input, createdBy: actorName(actor), createdAt: now, lastUsedAt: null } },
          ],
          events: [{ kind: 'token_created', taskId: null, data: { id, kind, name, scope } }],
        },
      )
    )
  },
})

/**
 * The caller found the token before. If another caller revoked the token in the meantime, nothing is left to delete.
 */
export const revokeToken = defineVerb({
  name: 'revoke_token',
  input: z.object({ id: tokenId, name: line }),
  scope: () => ({}),
  decide: ({ input: { id, name }, actor }) =>
    onlyPeople(actor) ??
    accept(
      { id },
      {
        changes: [{ op: 'delete_token', id }],
        events: [{ kind: 'token_revoked', taskId: null, data: { id, name } }],
      },
    ),
})

/** Records when a token was used. This verb writes no event, because tokens are used often. */
export const useToken = defineVerb({
  name: 'use_token',
  input: z.object({ id: tokenId }),
  scope: () => ({}),
  decide: ({ input: { id }, actor, now }) =>
    onlyPeople(actor) ?? accept({ id }, { changes: [{ op: 'touch_token', id, at: now }] }),
})
