/**
 * The page for a person who opened the server under a wrong host name. It uses no other file, because the dashboard
 * cannot load: the host name may belong to an attacker.
 */
import type { Context } from 'hono'
import { asBoardError } from '../../core/errors.ts'
import type { HttpEnv } from '../parts.ts'

interface Texts {
  readonly title: string
  readonly why: string
  readonly next: string
}

const TEXTS = {
  en: {
    title: 'Muster does not answer under this address',
    why: 'To protect your boards, Muster answers only under its own host names.',
    next: 'Run this in a terminal on the machine where Muster runs, and open the link that it prints:',
  },
  ko: {
    title: '이 주소로는 Muster에 연결할 수 없습니다',
    why: '보드를 보호하기 위해 Muster는 자신의 호스트 이름으로만 응답합니다.',
    next: 'Muster가 실행되는 컴퓨터의 터미널에서 다음을 실행하고 표시되는 링크를 여세요:',
  },
  zh: {
    title: 'Muster 不通过此地址提供服务',
    why: '为了保护您的看板，Muster 只响应自己的主机名。',
    next: '请在运行 Muster 的电脑的终端中运行以下命令，然后打开它显示的链接：',
  },
} satisfies Readonly<Record<string, Texts>>

type Language = keyof typeof TEXTS
const isLanguage = (text: string): text is Language => Object.hasOwn(TEXTS, text)

/** Returns the page if a browser tried to open a page under a wrong host name. Otherwise returns null. */
export function wrongHostPage(c: Context<HttpEnv>, thrown: unknown): Response | null {
  const wantsPage = c.req.method === 'GET' && (c.req.header('accept') ?? '').includes('text/html')
  if (!wantsPage || asBoardError(thrown).details['header'] !== 'host') return null
  const language = languageOf(c.req.header('accept-language') ?? '')
  const { title, why, next } = TEXTS[language]
  const page = `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Muster</title>
<h1>${title}</h1>
<p>${why}
<p>${next}
<pre>muster open</pre>
</html>
`
  return new Response(page, { status: 403, headers: { 'content-type': 'text/html; charset=utf-8' } })
}

/** The first language of the browser in which the page exists. */
const languageOf = (accepted: string): Language =>
  accepted
    .split(',')
    .map((part) => part.trim().slice(0, 2).toLowerCase())
    .find(isLanguage) ?? 'en'
