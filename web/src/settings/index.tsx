import { Link, useRoute } from 'wouter'
import { PageHeader } from '../page/page-header.tsx'
import { useMessages } from '../i18n/use-messages.tsx'
import { ROUTES, settingsPath } from '../routes/paths.ts'
import { BoardSettings } from './boards/index.tsx'
import { partMessages, settingsMessages } from './messages.ts'
import { Appearance } from './parts/appearance.tsx'
import { Machine } from './parts/machine.tsx'
import { Notifications } from './parts/notifications.tsx'
import { Shortcuts } from './parts/shortcuts.tsx'
import { partOf, PARTS } from './parts.ts'
import type { Part } from './parts.ts'
import css from './settings.module.css'
import { Tokens } from './tokens/index.tsx'

const CONTENT: Readonly<Record<Part, () => React.ReactNode>> = {
  boards: BoardSettings,
  tokens: Tokens,
  appearance: Appearance,
  notifications: Notifications,
  shortcuts: Shortcuts,
  machine: Machine,
}

export function SettingsScreen() {
  const t = useMessages(settingsMessages)
  const [, params] = useRoute(ROUTES.settingsPart)
  const tPart = useMessages(partMessages)
  const part = partOf(params?.part ?? null)
  const Content = CONTENT[part]
  return (
    <>
      <PageHeader title={t('title')} isPlain />
      <div className={css.page}>
        <PartList current={part} />
        {/* A list without controls is scrolled with the keyboard, so it takes the focus. */}
        <div className={css.content} key={part} role="region" aria-label={tPart(part)} tabIndex={0}>
          <Content />
        </div>
      </div>
    </>
  )
}

function PartList({ current }: { readonly current: Part }) {
  const t = useMessages(settingsMessages)
  const tPart = useMessages(partMessages)
  return (
    <nav className={css.parts} aria-label={t('parts')}>
      {PARTS.map((part) => (
        <Link
          key={part}
          href={settingsPath(part)}
          className={css.part}
          aria-current={part === current ? 'page' : undefined}
        >
          {tPart(part)}
        </Link>
      ))}
    </nav>
  )
}
