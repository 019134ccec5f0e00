const page = (title: string, head: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}</head>
<body>
<main>
<h1>Muster</h1>
${body}</main>
</body>
</html>
`

/** The page of a one-time link. It exchanges the code for a session and opens the first page. */
export const SIGN_IN_PAGE = page(
  'Muster: sign in',
  '<script src="/sign-in.js" defer></script>\n',
  '<p id="status" role="status">Signing in …</p>\n<noscript>This page needs JavaScript.</noscript>\n',
)

/** The first page. It contains nothing of the board, so it needs no session. */
export const FIRST_PAGE = page(
  'Muster',
  '',
  '<p>Muster is running. Programs use its HTTP API with a token: run <code>muster tokens create</code>.</p>\n',
)

/** The name under which the page keeps the second part of its session. It is bound to scheme, host and port. */
const SECRET_KEY = 'muster-secret'

export const SIGN_IN_SCRIPT =
  `const code = location.hash.slice(1)
const status = document.getElementById('status')
// The code must not stay in the history of the browser.
history.replaceState(null, '', location.pathname)
const response = await fetch('/api/sign-in', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ code }),
})
const answer = await response.json()
if (response.ok) {
  localStorage.setItem('${SECRET_KEY}', answer.secret)
  location.replace('/')
} else status.textContent = answer.detail
`.replace(/^/, '(async () => {\n') + '})()\n'
