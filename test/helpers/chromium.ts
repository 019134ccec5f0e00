/** Starts a real browser for the tests of a file. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { launchChromium } from './launch-chromium.ts'

/** The timeout for the first test file, which installs Chromium on a fresh machine. */
const INSTALL_MS = 600_000

export interface PageOptions extends BrowserContextOptions {
  /** The errors and warnings in the console that the test expects. All other errors and warnings fail the test. */
  readonly expects?: readonly RegExp[]
}

export type OpenPage = (options?: PageOptions) => Promise<Page>

/**
 * Starts the browser. Call this function once, at the top of a test file. The tests share one browser, which closes at
 * the end of the file. Each page that a test opens has its own cookies and storage, and closes at the end of the test.
 */
export function useChromium(): OpenPage {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await launchChromium()
  }, INSTALL_MS)
  afterAll(() => browser?.close())
  return async ({ expects = [], ...options } = {}) => {
    if (browser === undefined) throw new Error('open pages in tests, not at the top of the file')
    const context = await browser.newContext(options)
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
