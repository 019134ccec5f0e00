/** The dialog that creates a card. It opens over any screen, and stores a draft for each board. */
import { useState } from 'react'
import { useLocation } from 'wouter'
import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'
import { useCommand } from '../api/use-command.ts'
import { commonMessages } from '../i18n/common-messages.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import type { Prefill } from '../routes/create-address.ts'
import { cardPath } from '../routes/paths.ts'
import { Dialog } from '../ui/dialog.tsx'
import { showToast } from '../ui/toasts.ts'
import { BoardChoice } from './board-choice.tsx'
import { inputOf } from './create-input.ts'
import { CreateFields } from './create-form.tsx'
import { EMPTY_DRAFT, nextDraft } from './draft.ts'
import { FileList } from './file-list.tsx'
import { CreatedFooter, Footer } from './footer.tsx'
import { createMessages } from './messages.ts'
import { useCreateForm } from './use-create-form.ts'
import { useUploads } from '../cards/use-uploads.ts'

interface Props {
  readonly board: string
  readonly prefill: Prefill
  readonly onClose: () => void
}

interface Created {
  readonly id: string
  readonly board: string
  readonly title: string
  /** The number of files that were not uploaded. Null while files are being uploaded. */
  readonly failed: number | null
}

const FORM = 'create-card'

export function CreateDialog({ board, prefill, onClose }: Props) {
  const t = useMessages(createMessages)
  const tCommon = useMessages(commonMessages)
  const [, navigate] = useLocation()
  const form = useCreateForm(board, prefill)
  const uploads = useUploads()
  const [isAnother, setIsAnother] = useState(false)
  const [created, setCreated] = useState<Created | null>(null)
  const [round, setRound] = useState(0)

  const finish = (card: Omit<Created, 'failed'>): void => {
    if (!isAnother) {
      navigate(cardPath(card.board, card.id))
      return
    }
    setCreated(null)
    uploads.clear()
    // Each round gets a new form, which moves the focus to its title.
    setRound(round + 1)
    const open = { label: t('open'), onChoose: () => navigate(cardPath(card.board, card.id)) }
    showToast({ kind: 'done', text: t('created', { title: card.title }), action: open })
  }
  const upload = async (card: Omit<Created, 'failed'>): Promise<void> => {
    setCreated({ ...card, failed: null })
    const failed = await uploads.upload(card.id)
    if (failed === 0) finish(card)
    else setCreated({ ...card, failed })
  }
  const create = useCommand({
    run: (input: ReturnType<typeof inputOf>) => client.create(input, { board: form.board }),
    refresh: () => [keys.board(form.board)],
    onDone({ task }) {
      form.replace(isAnother ? nextDraft(form.draft) : EMPTY_DRAFT)
      const card = { id: task.id, board: task.board, title: task.title }
      if (uploads.files.length === 0) finish(card)
      else void upload(card)
    },
    onRefusal: form.refuse,
  })
  const submit = (): void => {
    if (create.isPending || created !== null || !form.check()) return
    create.mutate(inputOf(form.draft))
  }
  // The files exist only in this dialog, so after the card was created, only the buttons close it.
  const close = (): void => {
    if (created === null && !create.isPending) onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={close}
      title={tCommon('newCard')}
      beside={<BoardChoice board={form.board} onChange={form.setBoard} />}
      footer={
        created === null ? (
          <Footer
            formId={FORM}
            form={form}
            isBusy={create.isPending}
            isAnother={isAnother}
            onAnother={setIsAnother}
            onCancel={close}
            onSubmit={submit}
          />
        ) : (
          <CreatedFooter failed={created.failed} onRetry={() => void upload(created)} onSkip={() => finish(created)} />
        )
      }
    >
      {created === null ? (
        <CreateFields
          key={round}
          id={FORM}
          form={form}
          faulty={form.faulty}
          files={<FileList files={uploads.files} onRemove={uploads.remove} />}
          onFiles={uploads.add}
          onSubmit={submit}
        />
      ) : (
        <FileList files={uploads.files} onRemove={uploads.remove} />
      )}
    </Dialog>
  )
}
