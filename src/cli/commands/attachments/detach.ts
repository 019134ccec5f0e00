import { detachFile } from '../../../operations/attachments/detach-file.ts'
import { oneLine } from '../../output/escape.ts'
import { argument, cardId } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'cards',
  operation: detachFile,
  args: { id: cardId, file: argument() },
  examples: ['muster detach t_4k2 plan.md', 'muster detach t_4k2 a_6d1k9s3m0q'],
  run: async (cli, { id, file }) => {
    const gone = await cli.ask(detachFile, { task: id, file })
    cli.answer(gone, `Removed ${oneLine(gone.filename)} from ${gone.taskId}`)
  },
})
