import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(`src/${name}`, 'utf8').replaceAll("\\'", "'"))

/** The first cells of the tables that list printed messages. */
const messages = readFileSync('docs/troubleshooting.md', 'utf8')
  .split(/\n\n/)
  .filter((part) => /^\| (`muster why` shows|Message) \|/.test(part))
  .flatMap((part) => part.split('\n').slice(2))
  .map((row) => row.split(' | ')[0]?.slice(2) ?? '')

/** Returns the parts of a message between its variable parts. */
const fixedParts = (message: string): string[] =>
  message
    .replace(/ \(`doctor`\)/, '')
    .split(/\s*…\s*|\s*t_…\s*/)
    .filter((part) => part.length > 5)

test('the troubleshooting page quotes messages that Muster prints', () => {
  expect(messages.length).toBeGreaterThan(20)
  const wrong = messages.flatMap((message) =>
    fixedParts(message)
      .filter((part) => !sources.some((text) => text.includes(part)))
      .map((part) => `${message}: ${part}`),
  )
  expect(wrong).toEqual([])
})
