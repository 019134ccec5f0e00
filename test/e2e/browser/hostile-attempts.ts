/** The attacks of a hostile page, as scripts that run in the browser. */
import type { Page } from 'playwright-core'

/**
 * The attempts of the page: each is the body of an async function. `server` is the address of Muster, `own` the address
 * of the page, and `at(path)` an address of Muster that names the attempt. The function returns everything that it
 * could read.
 */
export const ATTEMPTS: Readonly<Record<string, string>> = {
  'fetch with the cookie': `return fetch(at('/api/tasks'), { credentials: 'include' }).then((answer) => answer.text())`,
  'fetch of an opaque answer': `
    const answer = await fetch(at('/api/tasks'), { mode: 'no-cors', credentials: 'include' })
    return answer.status + (await answer.text())`,
  'fetch with a guessed secret': `
    const headers = { 'x-muster-secret': 'x'.repeat(43) }
    return fetch(at('/api/tasks'), { credentials: 'include', headers }).then((answer) => answer.text())`,
  'fetch that follows a redirect': `
    return fetch(own + '/redirect' + path('/api/tasks'), { credentials: 'include' }).then((answer) => answer.text())`,
  'fetch with a rebound name': `
    return fetch(at('/api/tasks').replace(/127.0.0.1|localhost/, 'evil.localhost')).then((answer) => answer.text())`,
  'a POST without a preflight': `
    const body = JSON.stringify({ title: 'Stolen' })
    const headers = { 'content-type': 'text/plain' }
    await fetch(at('/api/tasks'), { method: 'POST', mode: 'no-cors', credentials: 'include', headers, body })`,
  'a POST with JSON': `
    const body = JSON.stringify({ title: 'Stolen' })
    const headers = { 'content-type': 'application/json' }
    return fetch(at('/api/tasks'), { method: 'POST', credentials: 'include', headers, body })`,
  'a sign-in of its own': `
    const body = JSON.stringify({ code: 'x' })
    await fetch(at('/api/sign-in'), { method: 'POST', mode: 'no-cors', credentials: 'include', body })`,
  'a sign-out': `await fetch(at('/api/session'), { method: 'DELETE', credentials: 'include' })`,
  'an XMLHttpRequest': `
    const request = new XMLHttpRequest()
    request.withCredentials = true
    request.open('GET', at('/api/tokens'))
    request.send()
    await new Promise((resolve) => (request.onloadend = resolve))
    return request.responseText`,
  'a beacon': `navigator.sendBeacon(at('/api/tasks'), '{"title":"Stolen"}')`,
  'a ping of a link': `
    const link = Object.assign(document.createElement('a'), { href: '#', ping: at('/api/tasks') })
    document.body.append(link)
    link.click()`,
  'a report of a policy': `await loaded('iframe', { src: own + '/report' + path('/api/tasks') })`,
  'a form in a frame': `return submit(at('/api/tasks'))`,
  'a form with a redirect': `return submit(own + '/redirect' + path('/api/tasks'))`,
  'a form for an assistant': `return submit(at('/mcp'))`,
  'a frame of the first page': `return loaded('iframe', { src: at('/') })`,
  'a frame of the sign-in page': `return loaded('iframe', { src: at('/sign-in') })`,
  'a frame of the cards': `return loaded('iframe', { src: at('/api/tasks') })`,
  'an image': `return loaded('img', { src: at('/api/tasks') })`,
  'a script': `return loaded('script', { src: at('/api/tasks') })`,
  'the script of the sign-in page': `return loaded('script', { src: at('/sign-in.js') })`,
  'a style sheet': `return loaded('link', { rel: 'stylesheet', href: at('/api/tasks') })`,
  'a prefetch': `return loaded('link', { rel: 'prefetch', href: at('/api/tasks') })`,
  'an embedded object': `return loaded('object', { data: at('/api/tasks') })`,
  'a video': `return loaded('video', { src: at('/api/tasks') })`,
  'an EventSource': `
    const source = new EventSource(at('/api/events'), { withCredentials: true })
    return new Promise((resolve) => {
      source.onmessage = source.onopen = (event) => resolve('opened ' + event.data)
      source.onerror = () => (source.close(), resolve(''))
    })`,
  'a WebSocket': `
    const socket = new WebSocket(at('/api/events').replace('http', 'ws'))
    return new Promise((resolve) => {
      socket.onopen = () => resolve('opened')
      socket.onerror = () => resolve('')
    })`,
  'a window that it opens': `return readWindow(window.open(at('/')))`,
  'a window with a wrong code': `return readWindow(window.open(at('/sign-in') + '#x'))`,
  'a window with the cards': `return readWindow(window.open(at('/api/tasks')))`,
  'a service worker': `await navigator.serviceWorker.register(at('/sign-in.js'))`,
  'the cookies of its page': `return document.cookie`,
  'the storage of its page': `return localStorage.getItem('muster-secret')`,
  'a cookie of its script': `document.cookie = 'muster_session_' + new URL(server).port + '=x; path=/'`,
}

const TOOLS = `
const path = (of) => of + '?attempt=' + name
const at = (of) => server + path(of)
const inPage = (element) => document.body.appendChild(element)
/** Loads an element, and returns the text that the page can read of it. */
const loaded = async (tag, attributes) => {
  const element = Object.assign(document.createElement(tag), attributes)
  const over = new Promise((resolve) => (element.onload = element.onerror = resolve))
  inPage(element)
  await over
  const framed = element.contentDocument?.body?.innerText ?? ''
  return framed + (tag === 'img' && element.naturalWidth > 0 ? 'image' : '')
}
/** Sends a form whose text looks like JSON. */
const submit = async (action) => {
  const frame = Object.assign(document.createElement('iframe'), { name: 'frame' + Math.random() })
  inPage(frame)
  const form = Object.assign(document.createElement('form'), { action, method: 'POST', enctype: 'text/plain' })
  form.target = frame.name
  inPage(Object.assign(document.createElement('input'), { name: '{"title":"', value: '"}' }))
  form.append(document.body.lastChild)
  inPage(form)
  const over = new Promise((resolve) => (frame.onload = resolve))
  form.submit()
  await over
  return frame.contentDocument?.body?.innerText ?? ''
}
/** A page with Cross-Origin-Opener-Policy leaves its opener, which then sees a closed window. */
const readWindow = async (opened) => {
  for (let waited = 0; waited < 5000 && !opened.closed; waited += 10)
    await new Promise((resolve) => setTimeout(resolve, 10))
  return opened.closed ? '' : 'a reference to the window'
}
`

/** Makes an attempt. Returns what the page could read. */
export async function attempt(page: Page, name: string, { url }: { readonly url: string }): Promise<string> {
  const settings = { name: encodeURIComponent(name), server: url, own: new URL(page.url()).origin }
  const constants = Object.entries(settings).map(([key, value]) => `const ${key} = ${JSON.stringify(value)}`)
  const body = `${constants.join('\n')}\n${TOOLS}\n${ATTEMPTS[name] ?? ''}`
  const read: unknown = await page.evaluate(`(async () => {${body}})().catch((error) => '')`)
  return typeof read === 'string' ? read : ''
}
