import { unwrap } from '../../core/command.ts'
import type { StoredFile } from '../../core/attachment.ts'
import { BoardError } from '../../core/errors.ts'
import { callFileHelper } from '../../file-helper/call-file-helper.ts'
import { newAttachmentId } from '../../util/mint.ts'
import { attachmentPath } from '../../workspaces/files/attachment-files.ts'
import { dropUnrecorded } from './drop-unrecorded.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'

/** Attaches a file to a card. The file is stored before its row, so that every row has a file. */
export const attachFile = defineOperation({
  name: 'attach',
  kind: 'transfer',
  actor: 'worker',
  scope: 'card',
  summary: 'Attach a file to a card, for its next worker.',
  schemas: ({ z, text, cardRef, attachmentView }) => ({
    input: z.object({
      task: cardRef,
      name: text.describe('The name of the file on the card'),
      contentType: text
        .regex(/^[\w.+-]+\/[\w.+-]+(?:\s*;[ -~]*)?$/, 'must be a media type such as text/plain')
        .nullable()
        .default(null)
        .describe('The media type of the file, such as text/plain'),
    }),
    output: attachmentView,
  }),
  run: async ({ store, actor, options }, { task: typed, name, contentType }, path) => {
    const { home } = options
    const { board, id: task } = await resolveTask(store, typed)
    const kept = await callFileHelper('attachCopy', {
      place: { home, board, task },
      name,
      path,
      store: options.store,
    })
    const file: StoredFile = { ...kept, id: newAttachmentId(), contentType }
    try {
      unwrap(await store.decide({ verb: 'attach', board, actor, input: { ...file, taskId: task } }))
    } catch (error) {
      await dropUnrecorded(store, home, { board, task, files: [file] })
      throw error
    }
    const row = (await store.attachments(board, task)).find(({ id }) => id === file.id)
    if (row === undefined)
      throw new BoardError(
        'attachment_not_found',
        `${file.filename} was removed from card ${task} by another command.`,
        {
          details: { id: file.id },
        },
      )
    return { ...row, path: attachmentPath(home, row) }
  },
})
