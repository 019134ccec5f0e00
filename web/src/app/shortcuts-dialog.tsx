import { useValue } from '../app-state/use-value.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { shortcuts } from '../shortcuts/registry.ts'
import { groupShortcuts } from '../shortcuts/group-shortcuts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { appMessages } from './messages.ts'
import css from './shortcuts-dialog.module.css'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Lists all shortcuts that work on the current screen. */
export function ShortcutsDialog({ isOpen, onClose }: Props) {
  const t = useMessages(appMessages)
  const groups = groupShortcuts(useValue(shortcuts))
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('shortcuts')}>
      <div className={css.groups}>
        {groups.map(({ name, shortcuts: list }) => (
          <section key={name}>
            <h3 className={css.heading}>{name}</h3>
            <dl>
              {list.map(({ keys, name: action }) => (
                <div key={keys} className={css.row}>
                  <dt>{action}</dt>
                  <dd className={css.keys}>
                    <Kbd keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
