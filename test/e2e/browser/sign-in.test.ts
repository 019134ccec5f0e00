/** Tests sign-in in a real browser. */
import { expect, test } from 'vitest'
import { useChromium } from '../../helpers/chromium.ts'
import { listen } from '../../helpers/listening-server.ts'

const openPage = useChromium()

/** The script is a text, because the types of a browser are not known in this file. */
const STATUS_OF_SESSION = `fetch('/api/session', {
  headers: { 'x-muster-secret': localStorage.getItem('muster-secret') },
}).then((response) => response.status)`

test('a one-time link signs the browser in and leaves no code in its history', async () => {
  const server = await listen()
  const page = await openPage()
  const link = server.makeLink()
  await page.goto(link)
  await page.waitForURL(`${server.url}/b/default`)
  expect(await page.evaluate(STATUS_OF_SESSION)).toBe(200)
  await page.goBack().catch(() => null)
  expect(page.url()).not.toContain(link.split('#')[1])
})
