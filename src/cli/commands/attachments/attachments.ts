import { listAttachments } from '../../../operations/attachments/list-attachments.ts'
import { oneLine } from '../../output/escape.ts'
import { cardId } from '../../flags.ts'
import { size } from '../../render/format-values.ts'
import { defineCommand } from '../../command.ts'

type AttachmentFile = Awaited<ReturnType<typeof listAttachments.run>>[number]

export const command = defineCommand({
  group: 'cards',
  operation: listAttachments,
  args: { id: cardId },
  examples: ['muster attachments t_4k2', 'muster attachments t_4k2 --json'],
  run: async (cli, { id }) => {
    const files = await cli.ask(listAttachments, { task: id })
    cli.list(files, {
      table: () => files.map(attachmentText).join('\n'),
      row: ({ id: own, filename, size: bytes, path }) => [own, filename, bytes, path],
      empty: 'No attachments.',
    })
  },
})

const attachmentText = ({ id, filename, size: bytes, contentType, uploadedBy, path }: AttachmentFile): string =>
  [
    `${oneLine(filename)}  (${id}, ${size(bytes)}${contentType === null ? '' : `, ${oneLine(contentType)}`})`,
    `  from ${oneLine(uploadedBy)}, ${path === null ? 'not stored in the data folder' : `at ${oneLine(path)}`}`,
  ].join('\n')
