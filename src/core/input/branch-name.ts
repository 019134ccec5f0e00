/**
 * Checks a branch name by git's rules. The check happens when a caller gives the name, so that no run fails later
 * because of it.
 */

/**
 * Git stores a branch as a file and writes `<name>.lock` beside it, and file systems allow 255 bytes for one file name.
 */
const COMPONENT_BYTES = 250
/**
 * The limit for the whole name, because git also puts the name into longer paths, such as the folder that records a
 * worktree.
 */
const NAME_BYTES = 500

// eslint-disable-next-line no-control-regex -- git refuses control characters
const FORBIDDEN = /[\u0000-\u0020\u007f~^:?*[\\]/

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Describes the fault of a branch name, as the end of a sentence. Null means that git accepts the name. */
export function branchNameFault(name: string): string | null {
  if (name === '') return 'must not be empty'
  if (name.startsWith('-')) return 'must not start with "-"'
  if (name === '@' || name === 'HEAD') return `must not be "${name}"`
  if (FORBIDDEN.test(name)) return 'must not contain spaces, control characters or any of ~ ^ : ? * [ \\'
  if (name.includes('..')) return 'must not contain ".."'
  if (name.includes('@{')) return 'must not contain "@{"'
  if (name.endsWith('.')) return 'must not end with "."'
  const parts = name.split('/')
  if (parts.includes('')) return 'must not start or end with "/", or contain "//"'
  if (parts.some((part) => part.startsWith('.'))) return 'must not contain a part that starts with "."'
  if (parts.some((part) => part.endsWith('.lock'))) return 'must not contain a part that ends with ".lock"'
  if (parts.some((part) => bytesOf(part) > COMPONENT_BYTES))
    return `must not contain a part longer than ${COMPONENT_BYTES} bytes`
  if (bytesOf(name) > NAME_BYTES) return `must not be longer than ${NAME_BYTES} bytes`
  return null
}
