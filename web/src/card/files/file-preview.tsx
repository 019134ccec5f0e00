/** Shows an image, or the beginning of a text file. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { client } from '../../api/client.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { previewOf, TEXT_BYTES } from './file-kinds.ts'
import { DownloadButton } from './file-rows.tsx'
import css from './files.module.css'
import { fileMessages } from './messages.ts'
import type { CardFile } from './use-remove-file.ts'

interface Props {
  readonly task: string
  readonly file: CardFile
  readonly onClose: () => void
}

/** Reads the bytes of an attachment, which never change. */
const bytesQuery = (task: string, { id, size }: CardFile, isText: boolean) => ({
  queryKey: ['file', id],
  staleTime: Infinity,
  gcTime: 60_000,
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    const range = isText && size > TEXT_BYTES ? ([0, TEXT_BYTES] as const) : undefined
    const response = await client.download({ task, file: id, ...(range !== undefined && { range }) }, { signal })
    return response.blob()
  },
})

export function FilePreview({ task, file, onClose }: Props) {
  const t = useMessages(fileMessages)
  const isText = previewOf(file) === 'text'
  const { data, error, refetch } = useQuery(bytesQuery(task, file, isText))
  return (
    <Dialog isOpen onClose={onClose} title={file.filename} beside={<DownloadButton task={task} file={file} />}>
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <div aria-busy="true" role="region" aria-label={t('loading')}>
          <Skeleton width={70} />
        </div>
      ) : isText ? (
        <TextPreview blob={data} isCut={file.size > TEXT_BYTES} />
      ) : (
        <ImagePreview blob={data} name={file.filename} />
      )}
    </Dialog>
  )
}

function ImagePreview({ blob, name }: { readonly blob: Blob; readonly name: string }) {
  const t = useMessages(fileMessages)
  const [isBroken, setIsBroken] = useState(false)
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const url = URL.createObjectURL(blob)
    if (image.current !== null) image.current.src = url
    return () => URL.revokeObjectURL(url)
  }, [blob])
  if (isBroken) return <p className={css.note}>{t('failed')}</p>
  return <img ref={image} className={css.image} alt={name} onError={() => setIsBroken(true)} />
}

function TextPreview({ blob, isCut }: { readonly blob: Blob; readonly isCut: boolean }) {
  const t = useMessages(fileMessages)
  const [text, setText] = useState<string | null>(null)
  useEffect(() => {
    let isShown = true
    void blob.text().then((read) => isShown && setText(read))
    return () => void (isShown = false)
  }, [blob])
  return (
    <>
      {isCut && <p className={css.note}>{t('cut')}</p>}
      {text !== null && <CodeBlock wraps>{text}</CodeBlock>}
    </>
  )
}
