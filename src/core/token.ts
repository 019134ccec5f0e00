/** The credentials of the HTTP server. Only hashes are stored. */

/** Each scope includes the ones before it. */
export const TOKEN_SCOPES = ['read', 'operate', 'admin'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

/** A `token` is made for a program. A `session` is made when a person signs in with a browser, and has two parts. */
export const TOKEN_KINDS = ['token', 'session'] as const

export interface Token {
  readonly id: string
  readonly kind: (typeof TOKEN_KINDS)[number]
  /** The actor of everything that is done with it. */
  readonly name: string
  readonly scope: TokenScope
  /** SHA-256 of the token, or of the cookie of a session. */
  readonly hash: string
  /** SHA-256 of the second part of a session; null for a token. */
  readonly secretHash: string | null
  readonly createdBy: string
  readonly createdAt: number
  /** Null: it does not expire. */
  readonly expiresAt: number | null
  /** When it was last used, to the minute. */
  readonly lastUsedAt: number | null
}

/** Whether a token with scope `has` may do something that needs scope `needs`. */
export const includesScope = (has: TokenScope, needs: TokenScope): boolean =>
  TOKEN_SCOPES.indexOf(has) >= TOKEN_SCOPES.indexOf(needs)

export const isExpired = ({ expiresAt }: Pick<Token, 'expiresAt'>, now: number): boolean =>
  expiresAt !== null && expiresAt <= now
