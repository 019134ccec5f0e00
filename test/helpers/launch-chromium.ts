/** Starts the Chromium of tests, benchmarks and pictures. */
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { findChromium } from './chromium-binary.ts'

/**
 * Parts of Chromium that cost time and that no page of ours uses. Without a window, Chromium still makes two pages for
 * its own address bar in each new context, and starts a process for a page that never comes: together two thirds of the
 * time that opening a page takes. The flag replaces the one that playwright sets, so the list repeats the parts of it
 * that concern pages.
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
