import os from 'node:os'
import { join } from 'node:path'

/** `~/src` as a shell reads it; a path in quotes, or after `dir:`, reaches us as it was typed. */
export const expandTilde = (path: string): string =>
  path === '~' || path.startsWith('~/') ? join(os.homedir(), path.slice(1)) : path
