/** The first writing verb on a machine makes what is missing, and says so once. */
import { DEFAULT_BOARD } from '../config/load.ts'
import { BoardError } from '../core/errors.ts'
import { initHome } from '../operations/init-home.ts'
import type { Call } from './call.ts'
import { oneLine } from './escape.ts'

export async function makeIfMissing(call: Call, verb: 'create' | 'up'): Promise<void> {
  if (await isReady(call)) return
  const { home, created } = await initHome.run(call.local, {})
  if (created) call.notice(welcome(home, verb))
}

/**
 * A store whose first board is missing was cut off while it was made. One of an older Muster is there: it is brought
 * forward by the writing open that follows.
 */
async function isReady(call: Call): Promise<boolean> {
  try {
    return await call.query(async ({ store }) => (await store.board(DEFAULT_BOARD)) !== null)
  } catch (error) {
    if (!(error instanceof BoardError)) throw error
    if (error.code === 'store_missing') return false
    if (error.code === 'store_too_old') return true
    throw error
  }
}

const TRY = 'muster create "Say hello" --assignee shell --body "echo hello"'

/** What to do next depends on what was just done. */
const NEXT = {
  init: `Next: ${TRY}, then muster up.`,
  create: 'Next: muster up starts cards that have an assignee, such as shell.',
  up: `Next, in another terminal: ${TRY}.`,
} as const

export const welcome = (home: string, verb: keyof typeof NEXT): string =>
  `Made a home for your boards in ${oneLine(home)}.\n${NEXT[verb]}`
