/** The package `muster-board/client`. */
export { createClient } from './create-client.ts'
export type { CallOptions, Client, DownloadLink, FileInput, ManyResult, Ping, RouteName } from './create-client.ts'
export { ClientError } from './client-error.ts'
export type { ClientErrorCode } from './client-error.ts'
export type { FeedConnection, FeedFilter, FeedMessage, FeedOptions, RunOutput } from './live-feed.ts'
export type { ClientOptions } from './transport.ts'
export { ROUTES } from './api.ts'
export type * from './api.ts'
