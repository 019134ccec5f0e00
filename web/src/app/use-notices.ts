/**
 * Shows desktop notifications about new items. Only one tab shows them, and only if no tab of the dashboard is visible.
 */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { leadsValue } from '../api/live-state.ts'
import { inboxQuery } from '../api/queries.ts'
import { noticesOn } from '../app-state/notices.ts'
import { useValue } from '../app-state/use-value.ts'
import { useLanguage } from '../i18n/use-messages.tsx'
import { inboxItemPath } from '../routes/paths.ts'
import { knownOf, newItems, noticeOf } from './notices.ts'
import type { Known } from './notices.ts'
import { isAnyTabVisible, useVisibleTab } from './visible-tabs.ts'

/** The notification that is shown now. The next notification replaces it. */
let shown: Notification | null = null

export function useNotices(): void {
  const isOn = useValue(noticesOn)
  const leads = useValue(leadsValue)
  const language = useLanguage()
  const [, navigate] = useLocation()
  const { data } = useQuery({ ...inboxQuery, enabled: isOn && leads })
  const known = useRef<Known | null>(null)
  useVisibleTab(isOn)
  useEffect(() => {
    if (!isOn || !leads || data === undefined) return
    const before = known.current
    known.current = knownOf(data.items, before ?? undefined)
    const fresh = before === null ? [] : newItems(data.items, before)
    const notice = noticeOf(fresh, language)
    const [first] = fresh
    if (notice === null || first === undefined) return
    const open = (): void => {
      window.focus()
      navigate(inboxItemPath(first.id))
    }
    void isAnyTabVisible().then((isVisible) => {
      if (!isVisible) show(notice, open)
    })
  }, [data, isOn, leads, language, navigate])
}

function show({ title, body }: { readonly title: string; readonly body: string }, onClick: () => void): void {
  shown?.close()
  try {
    const notification = new Notification(title, { body, tag: 'muster', icon: '/favicon.svg' })
    notification.addEventListener('click', () => {
      notification.close()
      onClick()
    })
    shown = notification
  } catch {
    // Some browsers on phones do not let pages show notifications.
  }
}
