import { BoardError } from '../../../core/errors.ts'
import { readServerFiles } from '../../../config/server-file.ts'
import { newSignInCode, signInUrl } from '../../../config/sign-in-code.ts'
import { showTask } from '../../../operations/cards/show-task.ts'
import { cardPath } from '../../card-link.ts'
import { defineCommand } from '../../command.ts'
import { optionalArgument, toggle } from '../../flags.ts'
import { openInBrowser } from '../../open-browser.ts'

export const command = defineCommand({
  name: 'open',
  group: 'start',
  operation: null,
  summary: 'Open the dashboard, or a card in it, and sign in your browser.',
  args: { id: { ...optionalArgument('a card to show'), completes: 'card' } },
  flags: { noOpen: toggle('only print the link') },
  examples: ['muster open', 'muster open t_4k2', 'muster open --no-open'],
  run: async (cli, { id, noOpen }) => {
    const server = readServerFiles(cli.local.options.home).find(({ isAlive }) => isAlive)
    if (server === undefined)
      throw new BoardError('dispatcher_absent', "Muster isn't running. Start it with: muster up")
    const path = id === undefined ? '' : cardPath(await cli.ask(showTask, { task: id }))
    const url = `${signInUrl(server.url, newSignInCode(server.key, cli.world.now()))}${path}`
    cli.answer({ url }, url)
    cli.notice('The link signs in one browser, once, within 15 minutes.')
    if (!noOpen && cli.world.terminal !== null) await openInBrowser(url, cli.world.env)
  },
})
