/**
 * Shows the files of a card. A person adds files with a button, by pasting them, or by dropping them anywhere on the
 * card.
 */
import { Paperclip, RotateCcw, X } from 'lucide-react'
import { useContext, useRef } from 'react'
import { formatBytes } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import type { TabProps } from '../card-details.ts'
import { ReadOnlyReason } from '../frame/use-read-only.ts'
import box from '../overview/overview.module.css'
import { Section } from '../overview/section.tsx'
import { splitFiles } from './file-kinds.ts'
import { FileRows } from './file-rows.tsx'
import css from './files.module.css'
import { fileMessages } from './messages.ts'
import { useUploads } from './uploads.tsx'

export function Artifacts({ card }: TabProps) {
  const t = useMessages(fileMessages)
  const { artifacts } = splitFiles(card.attachments)
  if (artifacts.length === 0) return null
  return (
    <Section title={t('artifacts')}>
      <FileRows task={card.id} files={artifacts} />
    </Section>
  )
}

export function Attachments({ card }: TabProps) {
  const t = useMessages(fileMessages)
  const { waiting, send } = useUploads()
  const { attachments } = splitFiles(card.attachments)
  return (
    <Section title={t('attachments')} actions={<AttachButton onFiles={send} />}>
      {attachments.length > 0 && <FileRows task={card.id} files={attachments} />}
      <Uploading />
      {attachments.length + waiting.length === 0 && <p className={box.none}>{t('none')}</p>}
    </Section>
  )
}

interface AttachProps {
  readonly onFiles: (files: readonly File[]) => void
}

export function AttachButton({ onFiles }: AttachProps) {
  const t = useMessages(fileMessages)
  const readOnly = useContext(ReadOnlyReason)
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        size="small"
        look="ghost"
        icon={<Paperclip />}
        writes
        disabledReason={readOnly}
        onClick={() => input.current?.click()}
      >
        {t('attach')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // The input is cleared, so that the person can choose the same file again.
          target.value = ''
        }}
      />
    </>
  )
}

/** Shows the files that are being uploaded, and files whose upload failed. */
export function Uploading() {
  const { waiting, again, remove } = useUploads()
  const t = useMessages(fileMessages)
  const language = useLanguage()
  if (waiting.length === 0) return null
  return (
    <ul className={box.box}>
      {waiting.map((one) => (
        <li key={one.id} className={box.line}>
          <Paperclip />
          <code className={box.name}>{one.file.name}</code>
          {one.error === null ? (
            <progress
              className={css.progress}
              max={1}
              value={one.sent ?? 0}
              aria-label={t('uploading', { file: one.file.name })}
            />
          ) : (
            <>
              <span className={css.fault} role="alert">
                {one.error}
              </span>
              <IconButton
                size="small"
                writes
                icon={<RotateCcw />}
                label={t('uploadAgain')}
                onClick={() => again(one)}
              />
              <IconButton
                size="small"
                icon={<X />}
                label={t('remove', { file: one.file.name })}
                onClick={() => remove(one.id)}
              />
            </>
          )}
          <span className={box.end}>{formatBytes(language, one.file.size)}</span>
        </li>
      ))}
    </ul>
  )
}
