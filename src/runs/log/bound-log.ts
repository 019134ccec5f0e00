/**
 * Limits the size of a log while its agent writes: the first quarter and the last half are kept, the middle is dropped. The
 * agent writes to the file directly, so this never blocks it. See docs/contributing/decisions/0007-a-log-with-a-hole.md.
 */
import { rm, stat } from 'node:fs/promises'
import { truncate } from '../../util/guarded-files.ts'
import { replaceFile } from '../../util/replace-file.ts'
import { keptFile, readCut, writeCut } from './log-cut.ts'
import type { LogCut } from './log-cut.ts'
import { punchHole } from './punch-hole.ts'
import type { PunchHole } from './punch-hole.ts'
import { readAt } from './read-log.ts'

/** Disk space is freed in blocks. */
const BLOCK = 4096
/** How often a log is looked at, and how often while it grows fast. */
const LOOK_MS = 1_000
const FAST_MS = 100
/** How much of the end is copied if no hole can be made. */
const KEPT_BYTES = 1024 ** 2

export interface LogBounds {
  readonly maxBytes: number
  readonly punch?: PunchHole
  readonly lookMs?: number
}

const blocks = (bytes: number): number => Math.max(BLOCK, Math.floor(bytes / BLOCK) * BLOCK)

/** `stop` checks once more, when the agent has exited. */
export function boundLog(path: string, bounds: LogBounds): { stop(): Promise<void> } {
  const { maxBytes, lookMs = LOOK_MS } = bounds
  let stopped = false
  let printed = 0
  let looking = Promise.resolve()
  let timer = setTimeout(look, lookMs)
  timer.unref()

  function look(): void {
    const before = printed
    // After an error it tries again later.
    looking = cutLog(path, bounds).then(
      (end) => again(end - before, end),
      () => again(0, before),
    )
  }
  function again(grown: number, end: number): void {
    printed = end
    if (stopped) return
    timer = setTimeout(look, grown > maxBytes / 8 ? Math.min(FAST_MS, lookMs) : lookMs)
    timer.unref()
  }
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await looking
      look()
      await looking
    },
  }
}

/** Cuts the log if it is too long; returns the length of all output so far. */
export async function cutLog(path: string, { maxBytes, punch = punchHole }: LogBounds): Promise<number> {
  const size = await sizeOf(path)
  // With the kept copy at most a quarter more, so within the limit. Most logs stay below this.
  if (size <= maxBytes / 2) return size
  const before = await readCut(path)
  const end = size + (before?.base ?? 0)
  const onDisk = end - (before === null ? 0 : before.to - before.from)
  if (onDisk <= maxBytes) return end
  const from = before?.from ?? blocks(maxBytes / 4)
  if (before === null || before.base === 0) {
    const to = blocks(end - maxBytes / 2)
    // Recorded first: a reader that sees no new cut after reading has read nothing of the hole.
    await writeCut(path, { from, to, kept: 0, base: 0 })
    if (punch(path, from, to)) return end
  }
  await shorten(path, before, { from, size, end, kept: Math.min(KEPT_BYTES, blocks(maxBytes / 4)) })
  return end
}

/**
 * If no hole can be made, the end is copied and the agent continues after the beginning. Output between the copy and the cut
 * is lost, so this is the second choice.
 */
async function shorten(
  path: string,
  before: LogCut | null,
  { from, size, end, kept }: { from: number; size: number; end: number; kept: number },
): Promise<void> {
  const to = end - kept
  const copy = keptFile(path, { to })
  await replaceFile(copy, await readAt(path, size - kept, kept))
  await writeCut(path, { from, to, kept, base: end - from })
  await truncate(path, from)
  if (before !== null && before.kept > 0) await rm(keptFile(path, before), { force: true })
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0
