import { BoardError } from '../../../core/errors.ts'
import { readServerFiles } from '../../../config/server-file.ts'
import { newSignInCode, signInUrl } from '../../../config/sign-in-code.ts'
import { defineCommand } from '../../command.ts'
import { toggle } from '../../flags.ts'
import { openInBrowser } from '../../open-browser.ts'

export const command = defineCommand({
  name: 'open',
  group: 'start',
  operation: null,
  summary: 'Sign in to the HTTP server with your browser.',
  flags: { noOpen: toggle('only print the link') },
  examples: ['muster open', 'muster open --no-open'],
  run: async (cli, { noOpen }) => {
    const server = readServerFiles(cli.local.options.home).find(({ isAlive }) => isAlive)
    if (server === undefined)
      throw new BoardError('dispatcher_absent', "Muster isn't running. Start it with: muster up")
    const url = signInUrl(server.url, newSignInCode(server.key, cli.world.now()))
    cli.answer({ url }, url)
    cli.notice('The link signs in one browser, once, within 15 minutes.')
    if (!noOpen && cli.world.terminal !== null) await openInBrowser(url, cli.world.env)
  },
})
