/** The screens. The code of each screen is loaded when it is first shown. */
import { loadLater } from '../ui/load-later.tsx'

export const BoardScreen = loadLater(() => import('../board/index.tsx').then((module) => module.BoardScreen))
export const CardScreen = loadLater(() => import('../card/index.tsx').then((module) => module.CardScreen))
export const GraphScreen = loadLater(() => import('../graph/index.tsx').then((module) => module.GraphScreen))
export const PlanScreen = loadLater(() => import('../plan/index.tsx').then((module) => module.PlanScreen))
export const RecurringScreen = loadLater(() =>
  import('../recurring/index.tsx').then((module) => module.RecurringScreen),
)
export const InboxScreen = loadLater(() => import('../inbox/index.tsx').then((module) => module.InboxScreen))
export const AgentsScreen = loadLater(() => import('../agents/index.tsx').then((module) => module.AgentsScreen))
export const ActivityScreen = loadLater(() => import('../activity/index.tsx').then((module) => module.ActivityScreen))
export const HealthScreen = loadLater(() => import('../health/index.tsx').then((module) => module.HealthScreen))
export const SettingsScreen = loadLater(() => import('../settings/index.tsx').then((module) => module.SettingsScreen))

/** Returns the screens at a URL, so that they can be loaded before they are shown. */
export function screensAt(pathname: string): readonly { readonly preload: () => Promise<void> }[] {
  const known = [
    [/^\/(b\/|all$)/, BoardScreen],
    [/^\/b\/[^/]+\/./, CardScreen],
    [/^\/graph\//, GraphScreen],
    [/^\/plan\//, PlanScreen],
    [/^\/recurring/, RecurringScreen],
    [/^\/needs-you/, InboxScreen],
    [/^\/agents/, AgentsScreen],
    [/^\/activity/, ActivityScreen],
    [/^\/health/, HealthScreen],
    [/^\/settings/, SettingsScreen],
  ] as const
  return known.filter(([address]) => address.test(pathname)).map(([, screen]) => screen)
}

/** The palette is loaded at the start, so that a person can type into it without waiting. */
export { Palette } from '../palette/index.tsx'
export const CreateDialog = loadLater(() => import('../create/index.tsx').then((module) => module.CreateDialog))

/** A page for development that shows all interface components. */
export const Parts = import.meta.env.DEV
  ? loadLater(() => import('../ui/parts-page.tsx').then((module) => module.PartsPage))
  : null
