/**
 * The theme: light, dark, or the theme of the system. public/first-paint.js applies it before the program has loaded.
 */
import { makeValue } from '../app-state/value.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'muster-theme'
const isTheme = (text: unknown): text is Theme => THEMES.some((known) => known === text)

export const themeValue = makeValue<Theme>('system')

export const resolveTheme = (theme: Theme, systemIsDark: boolean): 'light' | 'dark' =>
  theme === 'system' ? (systemIsDark ? 'dark' : 'light') : theme

const system = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)')

function apply(): void {
  const found = localStorage.getItem(KEY)
  themeValue.set(isTheme(found) ? found : 'system')
  document.documentElement.dataset['theme'] = resolveTheme(themeValue.get(), system().matches)
}

/** Applies the theme, and follows changes by the system and by other tabs. */
export function startTheme(): void {
  apply()
  system().addEventListener('change', apply)
  addEventListener('storage', ({ key }) => key === KEY && apply())
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  apply()
}
