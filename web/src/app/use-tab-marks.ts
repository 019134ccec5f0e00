import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { summaryQuery } from '../api/queries.ts'
import { pageNames } from '../app-state/page-names.ts'
import { useValue } from '../app-state/use-value.ts'
import { tabIcon, tabTitle } from './tab-marks.ts'

/** The browser draws the icon in the page's main thread, so the page is drawn first. */
const ICON_MS = 500

const NOTHING = { count: 0, isExact: true }

/** Keeps the title and the icon of the tab up to date. */
export function useTabMarks(): void {
  const { data } = useQuery(summaryQuery)
  const page = useValue(pageNames).at(-1)?.text
  const waiting = data?.waiting ?? NOTHING
  const title = tabTitle(waiting, page)
  const icon = tabIcon(waiting)
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    const timer = setTimeout(() => document.querySelector('link[rel="icon"]')?.setAttribute('href', icon), ICON_MS)
    return () => clearTimeout(timer)
  }, [icon])
}
