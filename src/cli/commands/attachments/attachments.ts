import { listAttachments } from '../../../operations/attachments/list-attachments.ts'
import { oneLine } from '../../escape.ts'
import { cardId } from '../../flags.ts'
import { size } from '../../render/format-values.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'cards',
  operation: listAttachments,
  args: { id: cardId },
  examples: ['muster attachments t_4k2', 'muster attachments t_4k2 --json'],
  run: async (cli, { id }) => {
    const files = await cli.ask(listAttachments, { task: id })
    const pages = files.map(({ id: own, filename, size: bytes, contentType, uploadedBy, path }) =>
      [
        `${oneLine(filename)}  (${own}, ${size(bytes)}${contentType === null ? '' : `, ${oneLine(contentType)}`})`,
        `  from ${oneLine(uploadedBy)}, ${path === null ? 'not stored in the data folder' : `at ${oneLine(path)}`}`,
      ].join('\n'),
    )
    cli.answer(files, pages.length === 0 ? 'No attachments.' : pages.join('\n'))
  },
})
