/** The pages to draw: their addresses, and what a person does on them first. */
import type { Page } from 'playwright-core'
import type { Seeded } from './seed.ts'

interface Shot {
  readonly path: (seeded: Seeded) => string
  readonly prepare?: (page: Page) => Promise<void>
}

const card = (id: string, tab = ''): string => `/b/default/${id}${tab === '' ? '' : `?tab=${tab}`}`

export const SHOTS: Readonly<Record<string, Shot>> = {
  board: { path: () => '/b/default' },
  filter: { path: () => '/b/default?label=payments' },
  selection: {
    path: () => '/b/default',
    prepare: async (page) => {
      for (const key of ['j', 'x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key)
    },
  },
  card: { path: ({ review }) => card(review) },
  transcript: { path: ({ review }) => card(review, 'transcript') },
  changes: { path: ({ review }) => card(review, 'changes') },
  graph: { path: () => '/graph/default' },
  plan: {
    path: ({ idea }) => `/plan/default/${idea}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Split into cards' }).click()
      await page.locator('[data-card="trial"]').waitFor()
    },
  },
  goal: { path: ({ goal }) => card(goal) },
  recurring: { path: () => '/recurring' },
  series: { path: ({ series }) => `/recurring/${series}` },
  question: { path: ({ question }) => card(question) },
  'needs-you': { path: () => '/needs-you' },
  'new-card': { path: () => '/b/default', prepare: (page) => page.keyboard.press('c') },
  agents: { path: () => '/agents' },
  activity: { path: () => '/activity' },
  settings: { path: () => '/settings' },
  palette: { path: () => '/b/default', prepare: (page) => page.keyboard.press('ControlOrMeta+k') },
  empty: { path: () => '/b/empty' },
}
