import { attachmentPath } from '../../workspaces/files/attachment-files.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'

export type AttachmentFile = Awaited<ReturnType<typeof listAttachments.run>>[number]

export const listAttachments = defineOperation({
  name: 'attachments',
  kind: 'query',
  actor: 'worker',
  scope: 'card',
  summary: 'List the files of a card and their paths.',
  schemas: ({ z, cardRef, attachmentView }) => ({
    input: z.object({ task: cardRef }),
    output: z.array(attachmentView).readonly(),
  }),
  run: async ({ store, options: { home } }, { task }) => {
    const { board, id } = await resolveTask(store, task)
    return (await store.attachments(board, id)).map((row) => ({ ...row, path: attachmentPath(home, row) }))
  },
})
