import { timingSafeEqual } from 'node:crypto'
import { hashToken } from '../../util/mint.ts'

/** Compares a secret with its hash. How long it takes does not depend on the secret. */
export const isSecretOf = (secret: string, hash: string): boolean =>
  timingSafeEqual(Buffer.from(hashToken(secret)), Buffer.from(hash))
