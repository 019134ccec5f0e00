/** Removes a file from a card. The file is read first, so that the removal can be undone. */
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import { useCommand } from '../../api/use-command.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { showToast } from '../../ui/toasts.ts'
import type { CardDetails } from '../card-details.ts'
import { UNDO_BYTES } from './file-kinds.ts'
import { fileMessages } from './messages.ts'

export type CardFile = CardDetails['attachments'][number]

interface Kept {
  readonly name: string
  readonly content: Blob
  readonly contentType?: string
}

async function removeFile(task: string, { id, filename, contentType, size }: CardFile): Promise<Kept | null> {
  const content =
    size > UNDO_BYTES
      ? null
      : await client
          .download({ task, file: id })
          .then((response) => response.blob())
          // If the file cannot be read, the removal cannot be undone.
          .catch(() => null)
  await client.detach({ task, file: id })
  return content === null ? null : { name: filename, content, ...(contentType !== null && { contentType }) }
}

export function useRemoveFile(task: string): {
  readonly remove: (file: CardFile) => void
  readonly busy: string | null
} {
  const t = useMessages(fileMessages)
  const language = useLanguage()
  const refresh = () => [keys.card(task)]
  const onRefusal = (error: unknown): void => void showToast({ kind: 'failed', text: describeError(error, language) })
  const restore = useCommand({ run: (kept: Kept) => client.attach({ task, ...kept }), refresh, onRefusal })
  const remove = useCommand({
    run: (file: CardFile) => removeFile(task, file),
    refresh,
    onRefusal,
    onDone: (kept, { filename }) =>
      showToast({
        kind: 'done',
        text: t('removed', { file: filename }),
        ...(kept !== null && { action: { label: t('undo'), onChoose: () => restore.mutate(kept) } }),
      }),
  })
  return { remove: (file) => remove.mutate(file), busy: remove.isPending ? remove.variables.id : null }
}
