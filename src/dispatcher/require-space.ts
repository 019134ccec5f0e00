/** Starts nothing on a full disk: an attempt that could only fail would still count towards the bound on attempts. */
import { rm } from 'node:fs/promises'
import { hasNoSpace } from '../config/free-space.ts'
import { inHome } from '../config/home.ts'
import { diskFull, isDiskFull } from '../core/errors.ts'
import { writeWhole } from '../runs/files/run-directory.ts'

/** One block of every common file system. */
const PROBE = ' '.repeat(4096)

export async function requireSpace(home: string): Promise<void> {
  if (await hasNoSpace(home)) throw diskFull(home, { details: { home } })
  const path = inHome.spaceProbe(home)
  try {
    // The figures of a disk do not include the user's quota: only a write shows that it is used up.
    await writeWhole(path, PROBE)
  } catch (cause) {
    // The start itself reports every other fault.
    if (isDiskFull(cause)) throw diskFull(home, { details: { home }, cause })
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}
