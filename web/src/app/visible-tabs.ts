/** Finds out which tabs of this browser are visible. Each visible tab holds a shared lock that every tab can see. */
import { useEffect } from 'react'

const NAME = 'muster-visible'

export async function isAnyTabVisible(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query()
  return document.visibilityState === 'visible' || held.some(({ name }) => name === NAME)
}

/** Holds the shared lock while this tab is visible. */
export function useVisibleTab(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined
    let release = (): void => {}
    const follow = (): void => {
      release()
      if (document.visibilityState !== 'visible') return
      const held = new Promise<void>((resolve) => (release = resolve))
      void navigator.locks.request(NAME, { mode: 'shared' }, () => held)
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      release()
    }
  }, [isOn])
}
