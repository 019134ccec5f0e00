import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const pages = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** npm shows the README without the other pages, so its links are absolute. */
const REPOSITORY = 'https://github.com/muster-board/muster/blob/main/'

/** Returns Markdown without its code, because brackets in code are not links. */
const proseOf = (text: string): string =>
  text.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ''))

/** Returns the anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

function anchorsOf(page: string): Set<string> {
  const text = readFileSync(page, 'utf8').replace(/^```[^]*?^```$/gm, '')
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
  const names = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, name = '']) => name)
  return new Set([...headings, ...names])
}

function linksOf(page: string): { path: string; anchor: string }[] {
  const text = proseOf(readFileSync(join(ROOT, page), 'utf8'))
  return [...text.matchAll(/\]\(([^)\s#]*)(?:#([^)\s]+))?\)/g)]
    .map(([, path = '', anchor = '']) => ({ path: path.replace(REPOSITORY, ''), anchor }))
    .filter(({ path }) => !/^[a-z]+:/.test(path))
}

/** Returns the page that a link opens: for a folder, its README. */
function targetOf(page: string, path: string): string | null {
  const target = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path)
  if (!existsSync(target)) return null
  return statSync(target).isDirectory() && existsSync(join(target, 'README.md')) ? join(target, 'README.md') : target
}

test('every link to a page leads to a page and a heading that exist', () => {
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter(({ path, anchor }) => {
        const target = targetOf(page, path)
        return target === null || (anchor !== '' && !anchorsOf(target).has(anchor))
      })
      .map(({ path, anchor }) => `${page}: ${path}${anchor === '' ? '' : `#${anchor}`}`),
  )
  expect(broken).toEqual([])
})

test('the README has no relative links', () => {
  const text = proseOf(readFileSync(join(ROOT, 'README.md'), 'utf8'))
  expect([...text.matchAll(/\]\((?![a-z]+:)[^)]*\)/g)].map(([link]) => link)).toEqual([])
})

test('docs/README.md lists every page outside the generated folders', () => {
  const listed = new Set(linksOf('docs/README.md').map(({ path }) => targetOf('docs/README.md', path)))
  const missing = pages
    .filter((page) => page.startsWith('docs/') && page !== 'docs/README.md')
    .filter((page) => !/^docs\/(reference\/cli|contributing\/decisions)\/(?!README)/.test(page))
    .filter((page) => !listed.has(join(ROOT, page)))
  expect(missing.map((page) => relative('docs', page))).toEqual([])
})
