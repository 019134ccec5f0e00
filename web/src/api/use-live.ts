import { useValue } from '../app-state/use-value.ts'
import { liveState } from './live-state.ts'
import type { LiveState } from './live-state.ts'

export const useLive = (): LiveState => useValue(liveState)

/** Whether commands can be sent. While the connection is lost, controls that write are disabled. */
export const useCanWrite = (): boolean => useLive().is === 'live'
