import { timingSafeEqual } from 'node:crypto'
import { hashToken } from '../../util/mint.ts'

/** Whether the hash belongs to the secret. The duration of the comparison does not depend on the secret. */
export const isSecretOf = (secret: string, hash: string): boolean =>
  timingSafeEqual(Buffer.from(hashToken(secret)), Buffer.from(hash))
