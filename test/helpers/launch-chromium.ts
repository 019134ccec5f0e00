/** Starts the Chromium of tests, benchmarks and pictures. */
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { findChromium } from './chromium-binary.ts'

/**
 * Parts of Chromium that cost time and that the tests do not need. In each new context, even a Chromium without a
 * window makes two pages for its address bar and a spare process. These take two thirds of the time of opening a page.
 * The flag with this list replaces the flag of playwright, so the list repeats those of its parts that concern pages.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'GlobalMediaControls',
  'HttpsUpgrades',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'Translate',
]

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
]

export const launchChromium = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await findChromium(), args: ARGS })
