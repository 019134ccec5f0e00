/** The credentials of the HTTP server. The store has only their hashes. */

/** The scopes of tokens. Each scope includes the scopes before it in this list. */
export const TOKEN_SCOPES = ['read', 'operate', 'admin'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

/**
 * The kinds of credentials. A `token` belongs to a program. A `session` belongs to a person who signed in with a
 * browser, and has two secrets.
 */
export const TOKEN_KINDS = ['token', 'session'] as const

export interface Token {
  readonly id: string
  readonly kind: (typeof TOKEN_KINDS)[number]
  /** The name that the history shows for changes made with this token. */
  readonly name: string
  readonly scope: TokenScope
  /** SHA-256 of the token, or of the cookie of a session. */
  readonly hash: string
  /** SHA-256 of the second secret of a session. This is null for a token. */
  readonly secretHash: string | null
  readonly createdBy: string
  readonly createdAt: number
  /** The expiry time. Null means that the token does not expire. */
  readonly expiresAt: number | null
  /** The time of the last use. This time is updated at most once a minute. */
  readonly lastUsedAt: number | null
}

/** Whether a token with scope `has` may do something that needs scope `needs`. */
export const includesScope = (has: TokenScope, needs: TokenScope): boolean =>
  TOKEN_SCOPES.indexOf(has) >= TOKEN_SCOPES.indexOf(needs)

export const isExpired = ({ expiresAt }: Pick<Token, 'expiresAt'>, now: number): boolean =>
  expiresAt !== null && expiresAt <= now
