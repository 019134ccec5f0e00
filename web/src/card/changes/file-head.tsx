import { ChevronRight, Copy, FileMinus, FilePen, FilePlus, FileSymlink, FolderGit2 } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { copyText } from '../../ui/copy-text.ts'
import { plainText } from '../../ui/plain-text.ts'
import { Counts } from './counts.tsx'
import css from './diff.module.css'
import { changesMessages } from './messages.ts'
import type { ChangedFile } from './queries.ts'

interface Props {
  readonly file: ChangedFile
  readonly isOpen: boolean
  readonly isViewed: boolean
  readonly isCurrent: boolean
  readonly onFold: () => void
  readonly onViewed: (is: boolean) => void
}

const ICONS: Readonly<Partial<Record<ChangedFile['change'], LucideIcon>>> = {
  added: FilePlus,
  deleted: FileMinus,
  renamed: FileSymlink,
  copied: Copy,
}

const TONES: Readonly<Partial<Record<ChangedFile['change'], string | undefined>>> = {
  added: css.isAdded,
  deleted: css.isDeleted,
}

export function FileIcon({ file: { change, kind } }: { readonly file: ChangedFile }) {
  const t = useMessages(changesMessages)
  const Icon = kind === 'submodule' ? FolderGit2 : (ICONS[change] ?? FilePen)
  return <Icon className={classNames(css.icon, TONES[change])} aria-label={t(change)} role="img" />
}

export function FileHead({ file, isOpen, isViewed, isCurrent, onFold, onViewed }: Props) {
  const t = useMessages(changesMessages)
  const { path, from, kind, wasKind, added, removed } = file
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return (
    <div className={classNames(css.head, isCurrent && css.isCurrent)}>
      <button type="button" className={css.fileName} aria-expanded={isOpen} onClick={onFold} title={path}>
        <ChevronRight className={css.chevron} />
        <FileIcon file={file} />
        <span className={css.path}>
          <span className={css.folder}>{plainText(folder)}</span>
          <b>{plainText(path.slice(folder.length))}</b>
          {from !== null && <span className={css.from}> {t('from', { path: plainText(from) })}</span>}
        </span>
      </button>
      <IconButton
        size="small"
        className={css.copy}
        icon={<Copy />}
        label={t('copyPath')}
        onClick={() => void copyText(path, { done: t('copiedPath'), refused: t('copyRefused') })}
      />
      {kind !== wasKind && (
        <span className={css.mode} title={t('mode', { now: t(`kind_${kind}`), before: t(`kind_${wasKind}`) })}>
          {t(`kind_${kind}`)}
        </span>
      )}
      <span className={css.counts}>
        <Counts added={added ?? 0} removed={removed ?? 0} />
      </span>
      <label className={css.viewed}>
        <input type="checkbox" checked={isViewed} onChange={(event) => onViewed(event.target.checked)} />
        {t('viewed')}
      </label>
    </div>
  )
}
