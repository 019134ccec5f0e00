import { Paperclip } from 'lucide-react'
import { formatBytes } from '../i18n/format.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { Token, TokenList } from '../ui/tokens.tsx'
import css from './create.module.css'
import { createMessages } from './messages.ts'
import type { DraftFile } from '../cards/use-uploads.ts'

interface Props {
  readonly files: readonly DraftFile[]
  readonly onRemove: (id: number) => void
}

export function FileList({ files, onRemove }: Props) {
  const t = useMessages(createMessages)
  const language = useLanguage()
  if (files.length === 0) return null
  return (
    <section aria-label={t('files')} className={css.files}>
      <TokenList>
        {files.map(({ id, file, sent, error }) => (
          <Token
            key={id}
            name={file.name}
            icon={<Paperclip />}
            isBad={error !== null}
            note={sent === null ? formatBytes(language, file.size) : <Progress part={sent} />}
            onRemove={sent === null ? () => onRemove(id) : undefined}
          >
            {file.name}
          </Token>
        ))}
      </TokenList>
      {files.map(({ id, file, error }) =>
        error === null ? null : (
          <p key={id} className={css.fault} role="alert">
            {file.name}: {error}
          </p>
        ),
      )}
    </section>
  )
}

const Progress = ({ part }: { readonly part: number }) => (
  <progress className={css.progress} max={1} value={part}>
    {Math.round(part * 100)}%
  </progress>
)
