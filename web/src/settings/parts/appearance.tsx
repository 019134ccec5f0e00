import { useValue } from '../../app-state/use-value.ts'
import { chooseLanguage, LANGUAGE_NAMES, LANGUAGES, tagOf } from '../../i18n/language.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { chooseTheme, THEMES, themeValue } from '../../theme/theme.ts'
import { Choices } from '../../ui/switch.tsx'
import { partMessages, settingsMessages } from '../messages.ts'
import { Panel, Row } from '../panel.tsx'

/** The settings for the theme and the language of this browser. */
export function Appearance() {
  const t = useMessages(settingsMessages)
  const tPart = useMessages(partMessages)
  return (
    <Panel title={tPart('appearance')}>
      <Row name={t('theme')}>
        <Choices
          label={t('theme')}
          choices={THEMES.map((key) => ({ key, label: t(key) }))}
          current={useValue(themeValue)}
          onChange={chooseTheme}
        />
      </Row>
      <Row name={t('language')}>
        <Choices
          label={t('language')}
          choices={LANGUAGES.map((key) => ({ key, label: <span lang={tagOf(key)}>{LANGUAGE_NAMES[key]}</span> }))}
          current={useLanguage()}
          onChange={chooseLanguage}
        />
      </Row>
    </Panel>
  )
}
