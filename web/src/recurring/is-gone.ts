import { ClientError } from '../../../src/client/index.ts'

/** Whether the series does not exist any more. */
export const isGone = (error: unknown): boolean => error instanceof ClientError && error.code === 'series_not_found'
