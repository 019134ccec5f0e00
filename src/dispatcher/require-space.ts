/** Refuses to start a run if the disk is full. The attempt would fail and still count against the attempts limit. */
import { rm } from 'node:fs/promises'
import { hasNoSpace } from '../config/free-space.ts'
import { inHome } from '../config/home.ts'
import { diskFull, isDiskFull } from '../core/errors.ts'
import { writeWhole } from '../runs/files/run-directory.ts'

/** The content of the test file: one block of common file systems. */
const PROBE = ' '.repeat(4096)

export async function requireSpace(home: string): Promise<void> {
  if (await hasNoSpace(home)) throw diskFull(home, { details: { home } })
  const path = inHome.spaceProbe(home)
  try {
    // The free space of a disk does not show the user's quota. Only a write shows that the quota is used up.
    await writeWhole(path, PROBE)
  } catch (cause) {
    // Other errors are ignored here, because the start of the run reports them.
    if (isDiskFull(cause)) throw diskFull(home, { details: { home }, cause })
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}
