import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ASSISTANT_NAMES } from '../../src/mcp-install/names.ts'
import { PROMPTS } from '../../src/mcp/prompts.ts'
import { ROLES } from '../../src/mcp/tool.ts'
import { TOOLS } from '../../src/mcp/tools.ts'

const page = readFileSync('docs/guides/use-from-your-assistant.md', 'utf8')

/** The rows of a table that begin with a word in backticks, cell by cell. */
const rows = [...page.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(([, name = '', cells = '']) => ({
  name,
  cells: cells.split('|').map((cell) => cell.trim()),
}))

test('the page lists every tool, with who sees it', () => {
  const listed = rows
    .filter(({ name }) => name.startsWith('kanban_'))
    .map(({ name, cells: [, ...marks] }) => ({ name, roles: ROLES.filter((_, at) => marks[at] === '✓') }))
  const there = TOOLS.map(({ name, roles }) => ({ name, roles: ROLES.filter((role) => roles.includes(role)) }))
  expect(page).toContain(`| | | ${ROLES.join(' | ')} |`)
  expect(listed).toEqual(there)
})

test('the page lists every prompt and every assistant', () => {
  const names = rows.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining([...PROMPTS.map(({ name }) => name), ...ASSISTANT_NAMES]))
})
