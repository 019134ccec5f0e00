/** Copies the supervisor's code before the first claim, and removes copies that no run needs. */
import { dirname } from 'node:path'
import { BoardError, diskFull, isDiskFull } from '../core/errors.ts'
import { installLibrary, sweepLibraries } from '../supervisor/start/library.ts'
import type { Library } from '../supervisor/start/library.ts'
import type { LeaderContext } from './dispatch-context.ts'
import type { Leadership } from './leadership/leadership.ts'
import { systemReasonWithPath } from '../util/system-errors.ts'

const installed = new WeakMap<Leadership, Library>()

export async function libraryOf(context: LeaderContext): Promise<Library> {
  const known = installed.get(context.leadership)
  if (known !== undefined) return known
  const { store, options, supervisorPath, leadership } = context
  const library = await installLibrary(options.home, supervisorPath).catch((cause: unknown) => {
    throw notInstalled(options.home, cause)
  })
  const open = await store.openRuns(null)
  await sweepLibraries(options.home, new Set([library.version, ...open.map(({ libVersion }) => libVersion)]))
  installed.set(leadership, library)
  if (library.version !== null) context.onCopy?.(dirname(library.program))
  return library
}

/** The error if the copy fails. No card is claimed at this point, so all cards are unchanged. */
function notInstalled(home: string, cause: unknown): BoardError {
  if (cause instanceof BoardError) return cause
  if (isDiskFull(cause)) return diskFull(home, { details: { home }, cause })
  return new BoardError(
    'store_io',
    `The supervisor cannot be copied to ${home}: ${systemReasonWithPath(cause)}. Nothing was started.`,
    { details: { home }, cause },
  )
}
