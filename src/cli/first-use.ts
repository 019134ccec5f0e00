/** The first writing verb on a machine makes what is missing, and says so once. */
import { initHome } from '../operations/init-home.ts'
import type { Call } from './call.ts'
import { oneLine } from './escape.ts'

export async function makeHome(call: Call): Promise<void> {
  const { home, created } = await initHome.run(call.local, {})
  if (created) call.notice(welcome(home))
}

const TRY = 'muster create "Say hello" --assignee shell --body "echo hello"'

export const welcome = (home: string): string =>
  `Made a home for your boards in ${oneLine(home)}.\nNext: ${TRY}, then muster up.`
