/** The number of blocks that show how much of a file was added and removed. */
const BLOCKS = 5

export type DiffBlock = 'added' | 'removed' | 'none'

/** The number of changed lines that fills all blocks. Smaller changes fill fewer blocks. */
const FULL = 60

/**
 * Returns the blocks of a changed file. A change fills at least one block, and each kind of change that exists has at
 * least one.
 */
export function diffBlocks(added: number, removed: number): readonly DiffBlock[] {
  const all = added + removed
  if (all === 0) return Array.from({ length: BLOCKS }, () => 'none')
  const kinds = (added > 0 ? 1 : 0) + (removed > 0 ? 1 : 0)
  const filled = Math.max(kinds, Math.min(BLOCKS, Math.ceil((all / FULL) * BLOCKS)))
  const share = Math.round((added / all) * filled)
  const green = Math.min(filled - (removed > 0 ? 1 : 0), Math.max(added > 0 ? 1 : 0, share))
  return Array.from({ length: BLOCKS }, (_, at) => (at < green ? 'added' : at < filled ? 'removed' : 'none'))
}
