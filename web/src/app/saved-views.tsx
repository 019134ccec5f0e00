/**
 * The saved views of all people. A person can open, rename and delete a view, and save the current filters as a view.
 */
import { useQuery } from '@tanstack/react-query'
import { Ellipsis, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation, useRoute, useSearchParams } from 'wouter'
import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'
import { viewsQuery } from '../api/queries.ts'
import type { SavedView } from '../api/queries.ts'
import { useCommand } from '../api/use-command.ts'
import { useValue } from '../app-state/use-value.ts'
import { describeError } from '../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { SaveView } from '../page/save-view.tsx'
import { viewMessages } from '../page/view-messages.ts'
import { ROUTES } from '../routes/paths.ts'
import { rememberedDisplay } from '../routes/remembered-display.ts'
import { showsView, viewPath } from '../routes/view-address.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { showToast } from '../ui/toasts.ts'
import { appMessages } from './messages.ts'
import { RenameView } from './rename-view.tsx'
import css from './saved-views.module.css'

export function SavedViews() {
  const t = useMessages(appMessages)
  const tView = useMessages(viewMessages)
  const { data: views = [] } = useQuery(viewsQuery)
  const shown = useShownBoard()
  if (views.length === 0 && shown === undefined) return null
  return (
    <section className={css.views} aria-label={t('views')}>
      <h2 className={css.heading}>
        {t('views')}
        {shown !== undefined && (
          <SaveView board={shown} trigger={<IconButton size="small" icon={<Plus />} label={tView('save')} />} />
        )}
      </h2>
      <ul className={css.list}>
        {views.map((view) => (
          <View key={view.name} view={view} shown={shown} />
        ))}
      </ul>
    </section>
  )
}

/** The board of the current page. Null means all boards. Undefined means that the page shows no board. */
function useShownBoard(): string | null | undefined {
  const [path] = useLocation()
  const [, board] = useRoute('/b/:board/*?')
  return path === ROUTES.allBoards ? null : board?.board
}

interface Props {
  readonly view: SavedView
  readonly shown: string | null | undefined
}

function View({ view, shown }: Props) {
  const t = useMessages(appMessages)
  const language = useLanguage()
  const [address] = useSearchParams()
  const display = useValue(rememberedDisplay)
  const [isRenaming, setIsRenaming] = useState(false)
  const remove = useCommand<void, SavedView>({
    run: () => client.viewsDelete({ name: view.name }),
    refresh: () => [keys.views],
    onDone: ({ name, query, board }) =>
      showToast({
        kind: 'done',
        text: t('viewDeleted', { name }),
        action: { label: t('undo'), onChoose: () => void client.viewsSave({ name, query, of: board }) },
      }),
    onRefusal: (error) => showToast({ kind: 'failed', text: describeError(error, language) }),
  })
  const isCurrent = shown !== undefined && showsView(view, { board: shown, query: String(address) }, display)
  return (
    <li className={css.view}>
      <Link href={viewPath(view)} className={css.link} title={view.name} aria-current={isCurrent ? 'true' : undefined}>
        {view.name}
      </Link>
      <Menu
        align="end"
        entries={[
          { key: 'rename', label: t('rename'), onChoose: () => setIsRenaming(true) },
          { key: 'delete', label: t('delete'), isDanger: true, onChoose: () => remove.mutate() },
        ]}
      >
        <IconButton
          size="small"
          icon={<Ellipsis />}
          label={t('viewActions', { name: view.name })}
          className={css.more}
        />
      </Menu>
      {isRenaming && <RenameView name={view.name} onClose={() => setIsRenaming(false)} />}
    </li>
  )
}
