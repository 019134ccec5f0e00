import { createContext } from 'react'

/** Why the open card cannot be changed. Null means that it can be changed. */
export const ReadOnlyReason = createContext<string | null>(null)
