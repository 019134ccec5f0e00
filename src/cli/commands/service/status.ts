import { showService } from '../../../operations/service/show-service.ts'
import { defineCommand } from '../../command.ts'
import { EXIT } from '../../output/printer.ts'
import { servicePage } from '../../render/service.ts'

export const command = defineCommand({
  group: 'keep',
  operation: showService,
  examples: ['muster service status', 'muster service status --json'],
  aliases: ['service'],
  run: async (cli) => {
    const status = await cli.perform(showService, {})
    cli.answer(status, servicePage(status))
    if (!status.isRunning) cli.exitCode = EXIT.failed
  },
})
