/** The page of a one-time link. It exchanges the code for a session and opens the dashboard. */
export const SIGN_IN_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Muster: sign in</title>
<script src="/sign-in.js" defer></script>
</head>
<body>
<main>
<h1>Muster</h1>
<p id="status" role="status">Signing in …</p>
<noscript>This page needs JavaScript.</noscript>
</main>
</body>
</html>
`

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
