import type { Harness } from './harness.ts'

/** A CLI with a list of efforts ignores any other value and mentions that only in its output. */
export const isKnownEffort = ({ efforts }: Pick<Harness, 'efforts'>, effort: string): boolean =>
  efforts === undefined || efforts.includes(effort.toLowerCase())
