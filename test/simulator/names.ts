import type { RunId } from '../../src/core/ids.ts'

/** Ids that went through argv or an environment are texts there. */
export const asRunId = (text: string): RunId => text as RunId

export const HOME = '/home/ada/.muster'
export const BOARD = 'default'
