/** Changes that git does not report, since its index says so: `assume-unchanged` and `skip-worktree`. */
import { lstat } from 'node:fs/promises'
import type { Git } from './git.ts'
import type { GitPlace } from './git-place.ts'

interface Tracked {
  readonly path: string
  readonly hash: string
}

/** The first file that git was told not to look at and that differs from what is committed; null: none. */
export async function hiddenChange(git: Git, place: GitPlace): Promise<string | null> {
  const flagged = new Set((await linesOf(git, place, '-v')).filter(isHidden).map((line) => line.slice('S '.length)))
  if (flagged.size === 0) return null
  const tracked = (await linesOf(git, place, '-s')).flatMap(parseEntry).filter(({ path }) => flagged.has(path))
  for (const { path, hash } of tracked) {
    // A file that a sparse checkout left out is not there.
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

/** git writes the letter of a file that is assumed unchanged in lower case, and `S` for one that it skips. */
const isHidden = (line: string): boolean => /^(?:[a-z]|S) /.test(line)

/** `<mode> <hash> <stage>`, a tab, the path. */
function parseEntry(line: string): Tracked[] {
  const tab = line.indexOf('\t')
  const [, hash = ''] = line.slice(0, tab).split(' ')
  return tab === -1 ? [] : [{ path: line.slice(tab + 1), hash }]
}
