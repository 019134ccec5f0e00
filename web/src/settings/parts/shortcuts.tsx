import { useValue } from '../../app-state/use-value.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { groupSeen, seenShortcuts } from '../../shortcuts/seen.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { partMessages, settingsMessages } from '../messages.ts'
import { Panel, Row } from '../panel.tsx'

/** Lists the shortcuts that work everywhere, and those of each screen that was opened since the page was loaded. */
export function Shortcuts() {
  const t = useMessages(settingsMessages)
  const tPart = useMessages(partMessages)
  const groups = groupSeen(useValue(seenShortcuts), useLanguage())
  return (
    <>
      <Panel
        title={tPart('shortcuts')}
        about={
          <>
            {t.rich('shortcutsText', { key: <Kbd keys="?" /> })} {t('moreShortcuts')}
          </>
        }
      />
      {groups.map(({ name, shortcuts }) => (
        <Panel key={name} title={name}>
          {shortcuts.map(({ keys, name: action }) => (
            <Row key={keys} name={action}>
              <Kbd keys={keys} />
            </Row>
          ))}
        </Panel>
      ))}
    </>
  )
}
