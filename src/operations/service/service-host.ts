import { BoardError } from '../../core/errors.ts'
import type { ServiceHost } from '../../service/definition.ts'
import type { LocalContext } from '../shared/operation.ts'

/** Describes this machine and its user for the service of the data folder. */
export function serviceHost({ options, env, commandLine }: LocalContext): ServiceHost {
  if (commandLine === undefined)
    throw new BoardError('not_supported', 'This build of Muster cannot be installed as a service.')
  return { platform: process.platform, uid: process.getuid?.() ?? 0, home: options.home, env, commandLine }
}
