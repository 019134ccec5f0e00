import { QueryClientProvider } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startLanguage } from '../i18n/language.ts'
import { listenForKeys } from '../shortcuts/listen.ts'
import { startTheme } from '../theme/theme.ts'
import { App } from './app.tsx'
import { screensAt } from './screens.ts'

export async function mount(client: QueryClient, { pathname }: URL): Promise<void> {
  startTheme()
  startLanguage()
  listenForKeys()
  // Without this, the browser would draw the frame first and its content later.
  await Promise.all(screensAt(pathname).map(({ preload }) => preload()))
  const root = document.querySelector('#root')
  if (root === null) throw new Error('index.html has no #root')
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  )
}
