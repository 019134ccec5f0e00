/** The menu that hides an item until a time, or until the item changes. */
import { AlarmClock, EyeOff } from 'lucide-react'
import { useState } from 'react'
import type { InboxItem } from '../api/queries.ts'
import { useNow } from '../app-state/use-now.ts'
import { formatMoment } from '../i18n/format.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { useShortcuts } from '../shortcuts/use-shortcut.tsx'
import { IconButton } from '../ui/button.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { Menu } from '../ui/menu.tsx'
import type { MenuEntry } from '../ui/menu.tsx'
import { actionMessages } from './action-messages.ts'
import { nameOf } from './card-item.ts'
import { useInbox } from './inbox-context.ts'
import css from './item.module.css'
import { SnoozeDialog } from './snooze-dialog.tsx'
import { snoozeChoices } from './snooze-times.ts'
import { useHide } from './use-hide.ts'

export function SnoozeMenu({ item }: { readonly item: InboxItem }) {
  const t = useMessages(actionMessages)
  const language = useLanguage()
  const now = useNow()
  const { currentId } = useInbox()
  const [isOpen, setIsOpen] = useState(false)
  const [isCustom, setIsCustom] = useState(false)
  const hide = useHide(item)
  const group = t('group')
  useShortcuts(
    currentId === item.id
      ? [
          { keys: 'h', name: t('snooze'), group, onPress: () => setIsOpen(true) },
          { keys: 'e', name: t('hide'), group, onPress: () => hide.mutate(null) },
        ]
      : [],
  )
  const entries: readonly MenuEntry[] = [
    ...snoozeChoices(now).map(({ key, until }) => ({
      key,
      label: t(key),
      icon: <AlarmClock />,
      end: formatMoment(language, until, now),
      onChoose: () => hide.mutate(until),
    })),
    { key: 'custom', label: t('custom'), icon: <AlarmClock />, onChoose: () => setIsCustom(true) },
    { key: 'line', line: true },
    { key: 'hide', label: t('hide'), icon: <EyeOff />, end: <Kbd keys="e" />, onChoose: () => hide.mutate(null) },
  ]
  return (
    <>
      <Menu entries={entries} align="end" isOpen={isOpen} onOpenChange={setIsOpen}>
        <IconButton
          className={css.snooze}
          size="small"
          icon={<AlarmClock />}
          label={`${t('snooze')}: ${nameOf(item)}`}
          tip={t('snooze')}
          writes
          isBusy={hide.isPending}
        />
      </Menu>
      {isCustom && (
        <SnoozeDialog
          onClose={() => setIsCustom(false)}
          onChoose={(until) => {
            setIsCustom(false)
            hide.mutate(until)
          }}
        />
      )}
    </>
  )
}
