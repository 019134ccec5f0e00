import { removeService } from '../../../operations/service/remove-service.ts'
import { defineCommand } from '../../command.ts'
import { oneLine } from '../../output/escape.ts'

export const command = defineCommand({
  group: 'keep',
  operation: removeService,
  examples: ['muster service uninstall'],
  run: async (cli) => {
    const done = await cli.perform(removeService, {})
    cli.answer(
      done,
      done.removed.length === 0
        ? 'Muster is not installed as a service.'
        : ['Stopped the service and removed:', ...done.removed.map((path) => `  ${oneLine(path)}`)].join('\n'),
    )
  },
})
