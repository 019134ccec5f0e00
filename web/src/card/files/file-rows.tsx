import { Download, FileText, Image, Paperclip, X } from 'lucide-react'
import { useContext, useState } from 'react'
import { client } from '../../api/client.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { formatBytes } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { loadLater } from '../../ui/load-later.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { showToast } from '../../ui/toasts.ts'
import { ReadOnlyReason } from '../frame/use-read-only.ts'
import box from '../overview/overview.module.css'
import { previewOf, UNDO_BYTES } from './file-kinds.ts'
import css from './files.module.css'
import { fileMessages } from './messages.ts'
import { useRemoveFile } from './use-remove-file.ts'
import type { CardFile } from './use-remove-file.ts'

const FilePreview = loadLater(() => import('./file-preview.tsx').then((module) => module.FilePreview))

interface Props {
  readonly task: string
  readonly files: readonly CardFile[]
}

export function FileRows({ task, files }: Props) {
  const [previewed, setPreviewed] = useState<CardFile | null>(null)
  const [asked, setAsked] = useState<CardFile | null>(null)
  const { remove, busy } = useRemoveFile(task)
  return (
    <>
      <ul className={box.box}>
        {files.map((file) => (
          <FileRow
            key={file.id}
            task={task}
            file={file}
            isBusy={busy === file.id}
            onPreview={() => setPreviewed(file)}
            onRemove={() => (file.size > UNDO_BYTES ? setAsked(file) : remove(file))}
          />
        ))}
      </ul>
      {previewed !== null && <FilePreview task={task} file={previewed} onClose={() => setPreviewed(null)} />}
      {asked !== null && (
        <ConfirmRemoval
          file={asked}
          onClose={() => setAsked(null)}
          onRemove={() => {
            remove(asked)
            setAsked(null)
          }}
        />
      )}
    </>
  )
}

const ICONS = { image: <Image />, text: <FileText /> } as const

interface RowProps {
  readonly task: string
  readonly file: CardFile
  readonly isBusy: boolean
  readonly onPreview: () => void
  readonly onRemove: () => void
}

function FileRow({ task, file, isBusy, onPreview, onRemove }: RowProps) {
  const t = useMessages(fileMessages)
  const language = useLanguage()
  const readOnly = useContext(ReadOnlyReason)
  const { filename, size, uploadedBy, createdAt } = file
  const preview = previewOf(file)
  return (
    <li className={box.line}>
      {preview === null ? <Paperclip /> : ICONS[preview]}
      {preview === null ? (
        <code className={box.name} title={filename}>
          {filename}
        </code>
      ) : (
        <button
          type="button"
          className={css.name}
          title={filename}
          aria-label={t('preview', { file: filename })}
          onClick={onPreview}
        >
          <code>{filename}</code>
        </button>
      )}
      <span className={box.end}>
        <span className={css.by}>
          {t('byWhom', { name: uploadedBy })} · <RelativeTime at={createdAt} />
        </span>
        <span>{formatBytes(language, size)}</span>
      </span>
      <DownloadButton task={task} file={file} />
      <IconButton
        size="small"
        icon={<X />}
        label={t('remove', { file: filename })}
        writes
        isBusy={isBusy}
        disabledReason={readOnly}
        onClick={onRemove}
      />
    </li>
  )
}

/** The button that downloads a file. It uses a signed URL, because a browser sends no secret when it follows a link. */
export function DownloadButton({ task, file: { id, filename } }: { readonly task: string; readonly file: CardFile }) {
  const t = useMessages(fileMessages)
  const language = useLanguage()
  const download = async (): Promise<void> => {
    const { url } = await client.downloadLink({ task, file: id })
    const link = document.createElement('a')
    link.href = url
    link.download = filename
    link.click()
  }
  return (
    <IconButton
      size="small"
      icon={<Download />}
      label={t('download', { file: filename })}
      onClick={() =>
        void download().catch((error: unknown) => showToast({ kind: 'failed', text: describeError(error, language) }))
      }
    />
  )
}

interface ConfirmProps {
  readonly file: CardFile
  readonly onClose: () => void
  readonly onRemove: () => void
}

function ConfirmRemoval({ file, onClose, onRemove }: ConfirmProps) {
  const t = useMessages(fileMessages)
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={t('confirmTitle')}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button isDanger writes onClick={onRemove}>
            {t('confirm')}
          </Button>
        </>
      }
    >
      {t('confirmText', { file: file.filename })}
    </ConfirmDialog>
  )
}
