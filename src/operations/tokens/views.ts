import * as z from 'zod'
import { line, time } from '../../core/input/fields.ts'
import { TOKEN_KINDS, TOKEN_SCOPES } from '../../core/token.ts'
import type { Token } from '../../core/token.ts'

/** A token without its hashes. */
export const tokenView = z.object({
  id: z.string(),
  kind: z.enum(TOKEN_KINDS),
  name: line,
  scope: z.enum(TOKEN_SCOPES),
  createdBy: line,
  createdAt: time,
  expiresAt: time.nullable(),
  lastUsedAt: time.nullable(),
})
export type TokenView = z.infer<typeof tokenView>

export function viewOfToken(token: Token): TokenView {
  const { id, kind, name, scope, createdBy, createdAt, expiresAt, lastUsedAt } = token
  return { id, kind, name, scope, createdBy, createdAt, expiresAt, lastUsedAt }
}
