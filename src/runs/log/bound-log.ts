/**
 * Limits the size of a log while the agent writes to the log, and notes when the log grows. The first quarter and the
 * last half of the limit are kept, and the middle is dropped. The agent writes directly to the file, so it never waits.
 * See docs/contributing/decisions/0007-a-log-with-a-hole.md.
 */
import { rm, stat } from 'node:fs/promises'
import { truncate } from '../../util/guarded-files.ts'
import { replaceFile } from '../../util/replace-file.ts'
import { keptFile, readCut, writeCut } from './log-cut.ts'
import type { LogCut } from './log-cut.ts'
import { noteLogTime } from './log-times.ts'
import { punchHole } from './punch-hole.ts'
import type { PunchHole } from './punch-hole.ts'
import { readAt } from './read-log.ts'

/** The size of a block. File systems free disk space in whole blocks. */
const BLOCK = 4096
/** The time between two measurements of a log. The second value is for a log that grows fast. */
const POLL_MS = 1_000
const FAST_POLL_MS = 100
/** The size of the end that is copied if the file system cannot punch holes. */
const KEPT_BYTES = 1024 ** 2

export interface LogBounds {
  readonly maxBytes: number
  readonly punch?: PunchHole
  readonly pollMs?: number
}

const blocks = (bytes: number): number => Math.max(BLOCK, Math.floor(bytes / BLOCK) * BLOCK)

/** Starts to watch the log. Call `stop` after the agent has exited; `stop` cuts the log one last time. */
export function boundLog(path: string, bounds: LogBounds): { stop(): Promise<void> } {
  const { maxBytes, pollMs = POLL_MS } = bounds
  let stopped = false
  let printed = 0
  let polling = Promise.resolve()
  let timer = setTimeout(poll, pollMs)
  timer.unref()

  function poll(): void {
    const before = printed
    // After an error, the next poll tries again.
    polling = measure(before).then(
      (end) => scheduleNext(end - before, end),
      () => scheduleNext(0, before),
    )
  }
  async function measure(before: number): Promise<number> {
    const end = await cutLog(path, bounds)
    if (end > before) await noteLogTime(path, { end, at: Date.now() })
    return end
  }
  function scheduleNext(grown: number, end: number): void {
    printed = end
    if (stopped) return
    timer = setTimeout(poll, grown > maxBytes / 8 ? Math.min(FAST_POLL_MS, pollMs) : pollMs)
    timer.unref()
  }
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await polling
      poll()
      await polling
    },
  }
}

/** Cuts the log if it is too long. Returns the length of all output so far, including the parts that were cut. */
export async function cutLog(path: string, { maxBytes, punch = punchHole }: LogBounds): Promise<number> {
  const size = await sizeOf(path)
  // A second file with a copied end has at most a quarter of the limit. So a log of this size is always within the
  // limit, and most logs stay this small.
  if (size <= maxBytes / 2) return size
  const before = await readCut(path)
  const end = size + (before?.base ?? 0)
  const onDisk = end - (before === null ? 0 : before.to - before.from)
  if (onDisk <= maxBytes) return end
  const from = before?.from ?? blocks(maxBytes / 4)
  if (before === null || before.base === 0) {
    const to = blocks(end - maxBytes / 2)
    // The cut is recorded before the hole is made. So if a reader finds no new cut after it has read, its data is not
    // from the hole.
    await writeCut(path, { from, to, kept: 0, base: 0 })
    if (punch(path, from, to)) return end
  }
  await shorten(path, before, { from, size, end, kept: Math.min(KEPT_BYTES, blocks(maxBytes / 4)) })
  return end
}

/**
 * Shortens a log on a file system that cannot punch holes. Copies the end to another file and truncates the log, so
 * that the agent continues to write after the beginning. Output between the copy and the truncation is lost, so
 * punching a hole is better.
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
