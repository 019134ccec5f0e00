/** 0 done, 1 refused or failed, 2 usage, 3 not found, 4 someone else holds or changed it, 75 try later. */
import { errorFacts } from '../core/errors.ts'
import type { BoardError } from '../core/errors.ts'

export const EXIT = { done: 0, failed: 1 } as const

export const exitCodeOf = (error: BoardError): number => errorFacts(error.code).exit
