/** Opens pages in a real browser. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished } from 'vitest'
import { keepOpen } from './kept-resources.ts'
import { launchChromium } from './launch-chromium.ts'

/** The timeout for the first test file, which installs Chromium on a fresh machine. */
const INSTALL_MS = 600_000

export interface PageOptions extends BrowserContextOptions {
  /** The errors and warnings in the console that the test expects. All other errors and warnings fail the test. */
  readonly expects?: readonly RegExp[]
}

export type OpenPage = (options?: PageOptions) => Promise<Page>

/** The browser of this process. It ends with the process. */
let shared: Browser | undefined

/**
 * Starts the browser. Call this function once, at the top of a test file. The test files of a process share one browser.
 * Each page that a test opens has its own cookies and storage, and closes at the end of the test.
 */
export function useChromium(): OpenPage {
  beforeAll(async () => {
    if (shared?.isConnected() !== true) shared = await keepOpen(launchChromium)
  }, INSTALL_MS)
  return async ({ expects = [], ...options } = {}) => {
    if (shared === undefined) throw new Error('open pages in tests, not at the top of the file')
    const context = await shared.newContext(options)
    const faults = collectFaults(context, expects)
    onTestFinished(async () => {
      await context.close()
      expect(faults, 'unexpected errors and warnings in the console of the browser').toEqual([])
    })
    return context.newPage()
  }
}

/** Collects the errors and warnings of all pages, including windows that a page opens. */
function collectFaults(context: BrowserContext, expects: readonly RegExp[]): readonly string[] {
  const faults: string[] = []
  const note = (text: string): void => {
    if (!expects.some((expected) => expected.test(text))) faults.push(text)
  }
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) note(`${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (fault) => note(String(fault.error())))
  return faults
}
