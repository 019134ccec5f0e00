import { createContext } from 'react'

/** The reason why the open card cannot be changed. Null means that it can be changed. */
export const ReadOnlyReason = createContext<string | null>(null)
