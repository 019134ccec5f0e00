/** Finds changes that git does not report because of `assume-unchanged` or `skip-worktree` in its index. */
import { lstat } from 'node:fs/promises'
import type { Git } from './git.ts'
import type { GitPlace } from './git-place.ts'

interface Tracked {
  readonly path: string
  readonly hash: string
}

/** The first hidden file that differs from the index. Null means that all hidden files are equal to the index. */
export async function hiddenChange(git: Git, place: GitPlace): Promise<string | null> {
  const flagged = new Set((await linesOf(git, place, '-v')).filter(isHidden).map((line) => line.slice('S '.length)))
  if (flagged.size === 0) return null
  const tracked = (await linesOf(git, place, '-s')).flatMap(parseEntry).filter(({ path }) => flagged.has(path))
  for (const { path, hash } of tracked) {
    // In a sparse checkout, a missing file is not a change.
    const found = await lstat(Buffer.from(`${place.workTree}/${path}`, 'latin1')).catch(() => null)
    if (found === null || found.isSymbolicLink()) continue
    const now = await git.ask({ place, stdin: Buffer.from(`${path}\n`, 'latin1') }, 'hash-object', '--stdin-paths')
    if (now?.trim() !== hash) return path
  }
  return null
}

const linesOf = async (git: Git, place: GitPlace, flag: string): Promise<string[]> =>
  (await git.bytes(place, 'ls-files', flag, '-z'))
    .toString('latin1')
    .split('\0')
    .filter((line) => line !== '')

/**
 * Whether a line of git's output is about a hidden file. Git marks an assume-unchanged file with a lower-case letter,
 * and a skip-worktree file with `S`.
 */
const isHidden = (line: string): boolean => /^(?:[a-z]|S) /.test(line)

/** Parses a line of git's output: `<mode> <hash> <stage>`, a tab, and the path. */
function parseEntry(line: string): Tracked[] {
  const tab = line.indexOf('\t')
  const [, hash = ''] = line.slice(0, tab).split(' ')
  return tab === -1 ? [] : [{ path: line.slice(tab + 1), hash }]
}
