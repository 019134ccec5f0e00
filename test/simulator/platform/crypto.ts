/** Replaces `node:crypto` for simulated processes: random bytes come from the seed. */
import { randomBytes as realBytes } from 'node:crypto'
import { Kernel } from '../kernel.ts'

export { createHash, timingSafeEqual } from 'node:crypto'

export function randomBytes(length: number): Buffer {
  const random = Kernel.current?.random
  if (random === undefined) return realBytes(length)
  return Buffer.from(Array.from({ length }, () => random.between(0, 255)))
}
