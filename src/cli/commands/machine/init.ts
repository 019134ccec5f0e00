import { initHome } from '../../../operations/machine/init-home.ts'
import { initAnswer } from '../../first-use.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: initHome,
  brief: 'Create the data folder, a board, and agents',
  examples: ['muster init', 'muster init --board work'],
  without: { board: '--board is a common flag' },
  run: async (cli) => {
    const made = await cli.perform(initHome, { board: cli.options.board })
    cli.answer(made, initAnswer(made))
  },
})
