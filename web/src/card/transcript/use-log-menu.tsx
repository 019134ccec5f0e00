/** The menu of a transcript, with entries for the raw log, wrapping, opening all rows, copying and downloading. */
import { Copy, Download, FoldVertical, ScrollText, UnfoldVertical, WrapText } from 'lucide-react'
import { client } from '../../api/client.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { formatBytes } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import type { MenuEntry } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toasts.ts'
import { copyText } from '../../ui/copy-text.ts'
import { plainText } from '../../ui/plain-text.ts'
import { transcriptMessages } from './messages.ts'
import type { Unfolded } from './row-look.ts'
import type { RowsShown, RowsSource } from './use-rows.ts'

interface LogMenu {
  readonly source: RowsSource
  readonly attempt: number
  readonly onShow: (show: RowsShown) => void
  readonly wraps: boolean
  readonly setWraps: (wraps: boolean) => void
  readonly setUnfolded: (unfolded: Unfolded) => void
}

/** The maximum number of bytes to copy. Few programs could take more from the clipboard. */
const COPIED_BYTES = 1_000_000

export function useLogMenu({ source, attempt, onShow, wraps, setWraps, setUnfolded }: LogMenu): readonly MenuEntry[] {
  const t = useMessages(transcriptMessages)
  const language = useLanguage()
  const { task, run, show } = source
  const orExplain = (work: Promise<void>): void =>
    void work.catch((error: unknown) => showToast({ kind: 'failed', text: describeError(error, language) }))
  const copy = async (): Promise<void> => {
    const response = await client.downloadLog({ task, run, last: COPIED_BYTES })
    const isWhole = response.headers.get('content-range')?.startsWith('bytes 0-') ?? true
    const done = isWhole ? t('copiedLog') : t('copiedEnd', { size: formatBytes(language, COPIED_BYTES) })
    await copyText(plainText(await response.text()), { done, refused: t('copyRefused') })
  }
  const download = async (): Promise<void> => {
    const response = await client.downloadLog({ task, run })
    saveFile(await response.blob(), `${task}-${attempt}.log`)
  }
  const rowEntries: readonly MenuEntry[] = [
    { key: 'open', label: t('openAll'), icon: <UnfoldVertical />, onChoose: () => setUnfolded('all') },
    { key: 'close', label: t('closeAll'), icon: <FoldVertical />, onChoose: () => setUnfolded('none') },
  ]
  return [
    {
      key: 'raw',
      label: t('rawLog'),
      icon: <ScrollText />,
      isChecked: show === 'raw',
      onChoose: () => onShow(show === 'raw' ? 'all' : 'raw'),
    },
    { key: 'wrap', label: t('wrap'), icon: <WrapText />, isChecked: wraps, onChoose: () => setWraps(!wraps) },
    ...(show === 'raw' ? [] : rowEntries),
    { key: 'line-2', line: true },
    { key: 'copy', label: t('copyLog'), icon: <Copy />, onChoose: () => orExplain(copy()) },
    { key: 'download', label: t('download'), icon: <Download />, onChoose: () => orExplain(download()) },
  ]
}

function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
