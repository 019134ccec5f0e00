/**
 * npm run docs: writes the generated parts of docs/. A page marks each part with `<!-- generated: <name> -->` and
 * `<!-- end -->`; the pages of docs/reference/cli are generated whole. With --check it only reports pages that are out of
 * date.
 */
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { boardSettings } from './docs/board-settings.ts'
import { aliasTable, commandIndex, commandPages, commonFlagTable, letterTable } from './docs/command-pages.ts'
import { agentFields, configOptions } from './docs/config-tables.ts'
import { decisions } from './docs/decision-index.ts'
import { errorCodes, exitCodes } from './docs/error-tables.ts'
import { eventKinds } from './docs/event-kinds.ts'
import { folders } from './docs/folder-table.ts'
import { httpFields } from './docs/http-fields.ts'
import { httpRoutes } from './docs/http-routes.ts'
import { prompts, toolArguments, toolRoles } from './docs/mcp-tables.ts'
import { withTests } from './docs/scenario-tests.ts'
import { blockKinds, outcomes, statuses } from './docs/vocabulary-tables.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DOCS = join(ROOT, 'docs')
const COMMANDS = 'reference/cli'

const fieldsOfRequests = await httpFields()

const PARTS: Readonly<Record<string, () => readonly string[]>> = {
  'agent-fields': agentFields,
  aliases: aliasTable,
  'block-kinds': blockKinds,
  'board-settings': boardSettings,
  commands: commandIndex,
  'common-flags': commonFlagTable,
  'config-options': configOptions,
  decisions: () => decisions(join(DOCS, 'contributing/decisions')),
  'error-codes': errorCodes,
  'event-kinds': () => eventKinds(join(ROOT, 'src/core')),
  'exit-codes': exitCodes,
  'short-flags': letterTable,
  folders,
  'http-fields': () => fieldsOfRequests,
  'http-routes': httpRoutes,
  outcomes,
  prompts,
  statuses,
  'tool-arguments': toolArguments,
  'tool-roles': toolRoles,
}

const PART = /(<!-- generated: (\S+) -->\n)[^]*?(<!-- end -->)/g

/** Returns a page with its generated parts up to date. */
function renew(page: string, text: string): string {
  const renewed = text.replace(PART, (_, begin: string, name: string, end: string) => {
    const part = PARTS[name]
    if (part === undefined)
      throw new Error(`docs/${page} has a generated part ${name}, which scripts/docs.ts does not know`)
    return [begin, ...part().map((line) => `${line}\n`), '\n', end].join('')
  })
  return page === 'contributing/scenarios.md' ? withTests(renewed, join(ROOT, 'test')) : renewed
}

function handWrittenPages(made: ReadonlyMap<string, string>): string[] {
  return readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter(
    (page) => page.endsWith('.md') && !made.has(page) && !isCommandPage(page),
  )
}

const isCommandPage = (page: string): boolean => page.startsWith(`${COMMANDS}/`) && !page.endsWith('README.md')

const pages = new Map([...commandPages()].map(([name, text]) => [`${COMMANDS}/${name}`, text]))
const textOf = (page: string): string | null =>
  existsSync(join(DOCS, page)) ? readFileSync(join(DOCS, page), 'utf8') : null
for (const page of handWrittenPages(pages)) pages.set(page, renew(page, textOf(page) ?? ''))

const outdated = [...pages].filter(([page, text]) => text !== textOf(page)).map(([page]) => page)
const removed = readdirSync(join(DOCS, COMMANDS))
  .map((name) => `${COMMANDS}/${name}`)
  .filter((page) => isCommandPage(page) && !pages.has(page))

if (!process.argv.includes('--check')) {
  for (const page of outdated) writeFileSync(join(DOCS, page), pages.get(page) ?? '')
  for (const page of removed) rmSync(join(DOCS, page))
} else if (outdated.length + removed.length > 0) {
  console.error(`Out of date: ${[...outdated, ...removed].map((page) => `docs/${page}`).join(', ')}. Run npm run docs.`)
  process.exitCode = 1
}
