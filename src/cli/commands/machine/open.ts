import { BoardError } from '../../../core/errors.ts'
import { readServerFiles } from '../../../config/server-file.ts'
import type { ServerFile } from '../../../config/server-file.ts'
import { defineCommand } from '../../command.ts'
import { toggle } from '../../flags.ts'
import { openInBrowser } from '../../open-browser.ts'

const WAIT_MS = 5_000

export const command = defineCommand({
  name: 'open',
  group: 'start',
  operation: null,
  summary: 'Open the dashboard in your browser, signed in.',
  flags: { noOpen: toggle('only print the link') },
  examples: ['muster open', 'muster open --no-open'],
  run: async (cli, { noOpen }) => {
    const url = await askForLink(readServerFiles(cli.local.options.home))
    cli.answer({ url }, url)
    cli.notice('The link signs in one browser, once, within 15 minutes.')
    if (!noOpen && cli.world.terminal !== null) await openInBrowser(url, cli.world.env)
  },
})

/** Asks each server in turn, because a server that was killed left its file behind. */
async function askForLink(servers: readonly ServerFile[]): Promise<string> {
  for (const { url, key } of servers) {
    try {
      const response = await fetch(`${url}/api/sign-in/link`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        signal: AbortSignal.timeout(WAIT_MS),
        redirect: 'error',
      })
      const answer = (await response.json()) as { readonly url?: unknown }
      if (response.ok && typeof answer.url === 'string') return answer.url
    } catch {
      // No server, or another program on its port.
    }
  }
  throw new BoardError('dispatcher_absent', "Muster isn't running. Start it with: muster up")
}
