/** Shows what changed on the branch of a worktree card. Git on the server compares the commits. */
import { Ellipsis, FileDiff, FolderTree, Search, X } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ClientError } from '../../../../src/client/index.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { useQueryField } from '../../routes/use-query-field.ts'
import { useShortcuts } from '../../shortcuts/use-shortcut.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { MenuEntry } from '../../ui/menu.tsx'
import { Popover } from '../../ui/popover.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { Choices } from '../../ui/switch.tsx'
import type { CardDetails } from '../card-details.ts'
import { RowsSkeleton } from '../transcript/rows-skeleton.tsx'
import css from './changes-panel.module.css'
import { Counts } from './counts.tsx'
import { DiffList } from './diff-list.tsx'
import type { DiffListHandle } from './diff-list.tsx'
import type { DiffView } from './diff-rows.ts'
import { changesMessages } from './messages.ts'
import { FILES_MAX } from './queries.ts'
import { TreeList } from './tree-list.tsx'
import { useDiff } from './use-diff.ts'
import type { DiffState } from './use-diff.ts'

const VIEW_KEY = 'muster-diff-view'
const readView = (): DiffView => (localStorage.getItem(VIEW_KEY) === 'split' ? 'split' : 'unified')

export function ChangesPanel({ card }: { readonly card: CardDetails }) {
  const t = useMessages(changesMessages)
  const [view, setView] = useState(readView)
  const [ignoresSpace, setIgnoresSpace] = useState(false)
  const [named, setNamed] = useQueryField('search')
  const [find, setFind] = useState(named ?? '')
  const diff = useDiff({ task: card.id, view, ignoresSpace, find })
  const { list } = diff
  const changeView = (next: DiffView): void => {
    setView(next)
    localStorage.setItem(VIEW_KEY, next)
  }
  const changeFind = (next: string): void => {
    setFind(next)
    setNamed(next, { adds: false })
  }
  const more: readonly MenuEntry[] = [
    { key: 'view', heading: t('view') },
    ...(['unified', 'split'] as const).map((key) => ({
      key,
      label: t(key),
      isChecked: view === key,
      onChoose: () => changeView(key),
    })),
    { key: 'line', line: true },
    {
      key: 'space',
      label: t('ignoreSpace'),
      isChecked: ignoresSpace,
      onChoose: () => setIgnoresSpace(!ignoresSpace),
    },
    { key: 'close', label: t('closeAll'), onChoose: () => diff.foldAll(true) },
    { key: 'open', label: t('openAll'), onChoose: () => diff.foldAll(false) },
    { key: 'refresh', label: t('refresh'), onChoose: () => void list.refetch() },
  ]
  if (list.data === undefined)
    return list.error === null ? <RowsSkeleton /> : <NoDiff error={list.error} onRetry={() => void list.refetch()} />
  if (list.data.total.files === 0)
    return (
      <EmptyState icon={<FileDiff />} title={t('none')}>
        {t('noneText')}
      </EmptyState>
    )
  return (
    <Files card={card} diff={diff}>
      <SearchField text={find} onText={changeFind} />
      <span className={css.wide}>
        <Choices
          label={t('view')}
          current={view}
          onChange={changeView}
          choices={[
            { key: 'unified', label: t('unified') },
            { key: 'split', label: t('split') },
          ]}
        />
      </span>
      <Menu align="end" entries={more}>
        <IconButton look="normal" icon={<Ellipsis />} label={t('menu')} />
      </Menu>
    </Files>
  )
}

interface FilesProps {
  readonly card: CardDetails
  readonly diff: DiffState
  /** The controls of the bar. */
  readonly children: React.ReactNode
}

function Files({ card, diff, children }: FilesProps) {
  const t = useMessages(changesMessages)
  const rows = useRef<DiffListHandle>(null)
  const [named, setNamed] = useQueryField('file')
  const [current, setCurrent] = useState<string | null>(named)
  const [isTreeOpen, setIsTreeOpen] = useState(false)
  const { files, viewed } = diff
  const show = (path: string): void => {
    setIsTreeOpen(false)
    setNamed(path, { adds: false })
    setCurrent(path)
    rows.current?.showFile(path)
  }
  // The file that the URL names. The list scrolls to it once, after the file has loaded.
  const first = useRef(named)
  useEffect(() => {
    if (first.current !== null) rows.current?.showFile(first.current)
    first.current = null
  }, [])
  const onCurrent = useCallback((path: string) => setCurrent(path), [])
  // Until the reader scrolls, the first file counts as the current file.
  const at = current === null ? 0 : files.findIndex(({ path }) => path === current)
  const step = (by: 1 | -1): void => {
    const next = files[at + by]
    if (next !== undefined) show(next.path)
  }
  const file = files[at]
  const group = t('group')
  useShortcuts([
    { keys: ']', name: t('nextFile'), group, onPress: () => step(1) },
    { keys: '[', name: t('previousFile'), group, onPress: () => step(-1) },
    {
      keys: 'v',
      name: t('toggleViewed'),
      group,
      onPress: () => file !== undefined && diff.setViewed(file, !viewed.has(file)),
    },
  ])
  const tree = <TreeList files={files} current={current} isViewed={viewed.has} onChoose={show} />
  return (
    <div className={css.panel}>
      <div className={css.bar}>
        <span className={css.narrow}>
          <Popover
            label={t('tree')}
            isOpen={isTreeOpen}
            onOpenChange={setIsTreeOpen}
            className={css.popover}
            trigger={<IconButton look="normal" icon={<FolderTree />} label={t('tree')} />}
          >
            {tree}
          </Popover>
        </span>
        {children}
      </div>
      <Summary card={card} diff={diff} />
      {files.length === 0 ? (
        diff.isSearching ? (
          <RowsSkeleton />
        ) : (
          <EmptyState icon={<Search />} title={t('noneFound')} />
        )
      ) : (
        <div className={css.parts}>
          <div className={css.side}>{tree}</div>
          <DiffList ref={rows} diff={diff} task={card.id} current={current} onCurrent={onCurrent} />
        </div>
      )}
    </div>
  )
}

function SearchField({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) {
  const t = useMessages(changesMessages)
  const field = useRef<HTMLInputElement>(null)
  useShortcuts([{ keys: '/', name: t('search'), group: t('group'), onPress: () => field.current?.select() }])
  return (
    <div className={css.search} role="search">
      <Search />
      <input
        ref={field}
        className={css.input}
        aria-label={t('search')}
        placeholder={t('searchShort')}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || text === '') return
          event.preventDefault()
          event.stopPropagation()
          onText('')
        }}
      />
      {text !== '' && <IconButton size="small" icon={<X />} label={t('clear')} onClick={() => onText('')} />}
    </div>
  )
}

/** Shows which commits are compared, and which branch the work has landed on. */
function Summary({ card, diff }: { readonly card: CardDetails; readonly diff: DiffState }) {
  const t = useMessages(changesMessages)
  const { list, files, viewed, find } = diff
  const { landed, workspace } = card
  if (list.data === undefined) return null
  const { total, base } = list.data
  const listed = list.data.files.length
  return (
    <p className={css.summary}>
      <span>
        {find === '' ? t('files', { n: total.files }) : t('filesOf', { shown: files.length, n: total.files })}{' '}
        <Counts {...total} />
      </span>
      {viewed.count > 0 && <span>{t('viewedCount', { n: viewed.count })}</span>}
      <span title={base}>{t('base', { base: `${workspace.baseBranch ?? ''} ${base.slice(0, 7)}`.trim() })}</span>
      <span>
        {landed === null
          ? t('notLanded')
          : t(card.hasUnlandedWork ? 'landedPartly' : 'landed', {
              branch: landed.into,
              commit: landed.commit.slice(0, 7),
            })}
      </span>
      {listed < total.files && (
        <span>{t('moreFiles', { n: FILES_MAX, command: `muster diff ${card.id} --stat` })}</span>
      )}
    </p>
  )
}

function NoDiff({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const t = useMessages(changesMessages)
  if (!(error instanceof ClientError) || error.code !== 'diff_refused')
    return <ErrorState error={error} onRetry={onRetry} />
  const { id, machine } = error.details
  return (
    <EmptyState icon={<FileDiff />} title={t('failedTitle')} action={<Button onClick={onRetry}>{t('retry')}</Button>}>
      {machine == null ? error.message : t('elsewhere', { command: `muster diff ${String(id)}` })}
    </EmptyState>
  )
}
