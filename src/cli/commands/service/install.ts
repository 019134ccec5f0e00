import { installService } from '../../../operations/service/install-service.ts'
import { defineCommand } from '../../command.ts'
import { oneLine } from '../../output/escape.ts'
import { each, text, toggle } from '../../flags.ts'

export const command = defineCommand({
  group: 'keep',
  operation: installService,
  flags: { env: each(text('<name>')), awake: toggle() },
  examples: ['muster service install', 'muster service install --env ANTHROPIC_API_KEY'],
  run: async (cli, { env = [], awake }) => {
    const done = await cli.perform(installService, { env, awake })
    const what = { installed: 'Installed', updated: 'Updated', none: 'Already installed:' }[done.change]
    cli.answer(
      done,
      [
        `${what} ${done.name}. It runs muster up for ${oneLine(done.home)}.`,
        'To check the service: muster service status, or muster service logs --follow',
      ].join('\n'),
    )
    if (done.lingers === false)
      cli.notice(
        'The service ends when you log out, and does not start at boot. To change that: loginctl enable-linger',
      )
    if (!done.isRunning) cli.notice('The service is not running yet. To find out why: muster service logs')
  },
})
