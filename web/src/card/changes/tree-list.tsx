/** Shows the changed files as a tree, beside the lines or in a popover. */
import { Check, ChevronRight, Folder } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { classNames } from '../../ui/class-names.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { plainText } from '../../ui/plain-text.ts'
import { Counts } from './counts.tsx'
import { FileIcon } from './file-head.tsx'
import { treeRows } from './file-tree.ts'
import { changesMessages } from './messages.ts'
import type { ChangedFile } from './queries.ts'
import css from './tree-list.module.css'

interface Props {
  readonly files: readonly ChangedFile[]
  readonly current: string | null
  readonly isViewed: (file: ChangedFile) => boolean
  readonly onChoose: (path: string) => void
}

const ROW_PX = 26

export function TreeList({ files, current, isViewed, onChoose }: Props) {
  const t = useMessages(changesMessages)
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => treeRows(files, closed), [files, closed])
  const toggle = (path: string): void => {
    const next = new Set(closed)
    if (!next.delete(path)) next.add(path)
    setClosed(next)
  }
  return (
    <VirtualList
      label={t('tree')}
      className={css.tree}
      items={rows}
      keyOf={({ path, file }) => `${file === null ? 'd' : 'f'} ${path}`}
      estimate={ROW_PX}
      paddingStart={8}
      paddingEnd={8}
    >
      {({ path, name, depth, file }) => (
        <button
          type="button"
          className={classNames(css.row, path === current && css.current)}
          style={{ paddingInlineStart: `${0.5 + depth * 0.75}rem` }}
          title={path}
          {...(file === null ? { 'aria-expanded': !closed.has(path) } : { 'aria-current': path === current })}
          onClick={() => (file === null ? toggle(path) : onChoose(path))}
        >
          {file === null ? <ChevronRight className={css.chevron} /> : <FileIcon file={file} />}
          {file === null && <Folder />}
          <span className={css.name}>{plainText(name)}</span>
          {file !== null && (
            <span className={css.end}>
              {isViewed(file) ? (
                <Check aria-label={t('viewed')} role="img" />
              ) : (
                <Counts added={file.added ?? 0} removed={file.removed ?? 0} />
              )}
            </span>
          )}
        </button>
      )}
    </VirtualList>
  )
}
