import { useSyncExternalStore } from 'react'
import type { Value } from './value.ts'

/** Returns the current value. The component renders again when the value changes. */
export const useValue = <T>({ follow, get }: Pick<Value<T>, 'follow' | 'get'>): T => useSyncExternalStore(follow, get)
