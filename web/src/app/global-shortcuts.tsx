import { useState } from 'react'
import { useLocation } from 'wouter'
import { useMessages } from '../i18n/use-messages.tsx'
import { ROUTES, boardPath, graphPath } from '../routes/paths.ts'
import { useCreateDialog } from '../routes/use-create-dialog.ts'
import { useQueryField } from '../routes/use-query-field.ts'
import { useShortcuts } from '../shortcuts/use-shortcut.tsx'
import { commonMessages } from '../i18n/common-messages.ts'
import { appMessages } from './messages.ts'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'

/** The shortcuts that work on every screen. */
export function GlobalShortcuts({ board }: { readonly board: string | null }) {
  const t = useMessages(appMessages)
  const tCommon = useMessages(commonMessages)
  const [, navigate] = useLocation()
  const { open } = useCreateDialog()
  const [, setPalette] = useQueryField('find')
  const [isOpen, setIsOpen] = useState(false)
  const go = (keys: string, name: string, to: string) => ({ keys, name, group: t('goTo'), onPress: () => navigate(to) })
  const everywhere = (keys: string, name: string, onPress: () => void) => ({
    keys,
    name,
    group: t('everywhere'),
    onPress,
  })
  useShortcuts([
    everywhere('c', tCommon('newCard'), () => open()),
    { ...everywhere('mod+k', tCommon('find'), () => setPalette('1', { adds: false })), inFields: true },
    everywhere('/', tCommon('find'), () => setPalette('1', { adds: false })),
    everywhere('?', t('showShortcuts'), () => setIsOpen(true)),
    go('g i', t('inbox'), ROUTES.inbox),
    go('g b', t('board'), board === null ? ROUTES.home : boardPath(board)),
    go('g g', t('graph'), board === null ? ROUTES.home : graphPath(board)),
    go('g a', t('agents'), ROUTES.agents),
    go('g v', t('activity'), ROUTES.activity),
    go('g h', t('health'), ROUTES.health),
    go('g s', t('settings'), ROUTES.settings),
  ])
  return <ShortcutsDialog isOpen={isOpen} onClose={() => setIsOpen(false)} />
}
