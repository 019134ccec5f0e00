import { useEffect, useState } from 'react'
import { serverNow } from '../../api/server-clock.ts'
import { nextLook, readLook, writeLook } from './last-look.ts'

/** How often to record that the person still sees the board. */
const EVERY_MS = 60_000

/** Returns when the previous look ended. Null at the first look. */
export function useLastLook(board: string | null): number | null {
  const [since, setSince] = useState(() => nextLook(readLook(board), serverNow()).since)
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState !== 'visible') return
      const next = nextLook(readLook(board), serverNow())
      writeLook(board, next)
      setSince(next.since)
    }
    look()
    const timer = setInterval(look, EVERY_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [board])
  return since
}
