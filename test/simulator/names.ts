import type { RunId } from '../../src/core/ids.ts'

/** Gives an id from argv or the environment its type. */
export const asRunId = (text: string): RunId => text as RunId

export const HOME = '/home/ada/.muster'
export const BOARD = 'default'
