import { listAttachments } from '../../../operations/attachments/list-attachments.ts'
import type { AttachmentFile } from '../../../operations/attachments/list-attachments.ts'
import { oneLine } from '../../output/escape.ts'
import { cardId, folder } from '../../flags.ts'
import { size } from '../../render/format-values.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'cards',
  operation: listAttachments,
  args: { id: cardId },
  flags: { to: { ...folder('save the files into this folder'), field: 'task' } },
  examples: ['muster attachments t_4k2', 'muster attachments t_4k2 --to downloads'],
  run: async (cli, { id, to }) => {
    const files = await cli.ask(listAttachments, { task: id })
    if (to !== undefined) {
      const { saveAttachments } = await import('../../save-attachments.ts')
      const saved = await saveAttachments(cli, files, to)
      cli.answer(saved, saved.map(savedText).join('\n'))
      if (saved.length === 0) cli.notice('No attachments.')
      return
    }
    cli.list(files, {
      table: () => files.map(attachmentText).join('\n'),
      row: ({ id: own, filename, size: bytes, path }) => [own, filename, bytes, path],
      empty: 'No attachments.',
    })
  },
})

const savedText = ({ filename, size: bytes, path }: AttachmentFile): string =>
  `Saved ${oneLine(filename)} (${size(bytes)}) to ${oneLine(path ?? '')}`

const attachmentText = ({ id, filename, size: bytes, contentType, uploadedBy, path }: AttachmentFile): string =>
  [
    `${oneLine(filename)}  (${id}, ${size(bytes)}${contentType === null ? '' : `, ${oneLine(contentType)}`})`,
    `  from ${oneLine(uploadedBy)}, ${path === null ? 'not stored in the data folder' : `at ${oneLine(path)}`}`,
  ].join('\n')
