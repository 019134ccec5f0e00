import { useState } from 'react'
import { noticePermission, noticesOn, turnNoticesOff, turnNoticesOn } from '../../app-state/notices.ts'
import { useValue } from '../../app-state/use-value.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { Panel, Row } from '../panel.tsx'
import css from '../settings.module.css'
import { notificationMessages } from './notification-messages.ts'

export function Notifications() {
  const t = useMessages(notificationMessages)
  const isOn = useValue(noticesOn)
  const [permission, setPermission] = useState(noticePermission)
  const turnOn = (): void => void turnNoticesOn().then(setPermission)
  const refused = permission === 'denied' || permission === 'unsupported' ? t(permission) : null
  return (
    <Panel title={t('title')} about={t('about')}>
      <Row
        name={t('desktop')}
        note={
          refused === null ? (
            <span className={isOn ? css.ok : undefined}>{t(isOn ? 'on' : 'off')}</span>
          ) : (
            <span className={css.bad} role="status">
              {refused}
            </span>
          )
        }
      >
        {isOn ? (
          <>
            <Button size="small" onClick={() => showExample(t('testTitle'), t('testBody'))}>
              {t('test')}
            </Button>
            <Button size="small" onClick={turnNoticesOff}>
              {t('turnOff')}
            </Button>
          </>
        ) : (
          <Button size="small" look="primary" disabledReason={refused} onClick={turnOn}>
            {t('turnOn')}
          </Button>
        )}
      </Row>
      <Row name={t('count')} note={t('countText')} />
    </Panel>
  )
}

function showExample(title: string, body: string): void {
  try {
    new Notification(title, { body, tag: 'muster', icon: '/favicon.svg' })
  } catch {
    // Some browsers on phones do not let pages show notifications.
  }
}
