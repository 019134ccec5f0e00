/** The operations that a server runs for the command line. */
import { ROUTES } from '../../client/index.ts'
import type { RouteName } from '../../client/index.ts'
import type { Published } from '../../operations/shared/operation.ts'

/** These two operations have routes of their own, outside the table. */
const OTHERS: ReadonlySet<string> = new Set(['attach', 'watch'])

export const isServed = (operation: Pick<Published, 'name'> | null): boolean =>
  operation !== null && (OTHERS.has(operation.name) || routesOf(operation.name).length > 0)

export const routesOf = (operation: string): readonly RouteName[] =>
  (Object.keys(ROUTES) as RouteName[]).filter((name) => ROUTES[name].operation === operation)
