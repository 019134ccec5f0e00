/** Finds violations of the WCAG levels A and AA, and controls that are too small. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

interface AxeWindow {
  readonly axe: {
    run(
      root: Document,
      options: unknown,
    ): Promise<{
      readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
    }>
  }
}

/**
 * Lists each violation with the first elements that have it. An open menu hides the page behind it, so tests close
 * menus first.
 */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  // The content security policy allows no script element, but a debugger may run any script.
  await page.evaluate(source)
  return page.evaluate(async (tags) => {
    const { axe } = globalThis as unknown as AxeWindow
    const { violations } = await axe.run(document, {
      runOnly: tags,
      // This rule of axe is experimental, so it is off unless the options turn it on.
      rules: { 'label-content-name-mismatch': { enabled: true } },
    })
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html }) => html.slice(0, 120))
          .join(' ')}`,
    )
  }, TAGS)
}

/** Returns the controls of the page that are lower than `least` pixels, and whether the page scrolls sideways. */
export const layoutFaults = (page: Page, least: number): Promise<readonly string[]> =>
  page.evaluate((pixels) => {
    const controls = [...document.querySelectorAll<HTMLElement>('main button, main [role=radio], main a, aside a')]
    const small = controls
      // A link in a sentence is only as high as its line, so it is left out.
      .filter((control) => getComputedStyle(control).display !== 'inline')
      .filter((control) => {
        const { width, height } = control.getBoundingClientRect()
        const target = getComputedStyle(control, '::after')
        // An element after the text can make the target larger, for example as large as the card.
        const reach = target.position === 'absolute' ? Number.parseFloat(target.height) : 0
        return width > 0 && Math.max(height, Number.isFinite(reach) ? reach : 0) < pixels - 0.5
      })
      .map((control) => `${control.textContent ?? ''} ${control.getAttribute('aria-label') ?? ''}`.trim())
    const overflow = document.documentElement.scrollWidth - innerWidth
    return [...small, ...(overflow > 0 ? [`scrolls ${overflow} px sideways`] : [])]
  }, least)
