// Tests that every command that a message suggests exists, with its flags.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { MANIFEST } from '../../src/cli/manifest.ts'
import type { CommandEntry } from '../../src/cli/manifest-entry.ts'

const src = fileURLToPath(new URL('../../src', import.meta.url))

/** The commands that any message may name. */
const BUILT_IN = ['help']
const COMMON = ['board', 'json', 'help', 'version']

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')

/** Matches a command such as `muster promote ${id} --force`, up to the end of its text or the next command. */
const COMMAND = /\bmuster ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?((?:(?!\bmuster )[^'`\n])*)/g

function entryOf(first: string, second: string | undefined): CommandEntry | undefined {
  const named = (name: string) => MANIFEST.find((entry) => entry.name === name || entry.aliases.includes(name))
  return (second === undefined ? undefined : named(`${first} ${second}`)) ?? named(first)
}

function faultsIn(text: string): string[] {
  return [...withoutComments(text).matchAll(COMMAND)].flatMap(([whole, first = '', second, rest = '']) => {
    if (BUILT_IN.includes(first)) return []
    const entry = entryOf(first, second)
    if (entry === undefined) return [`there is no command for: ${whole}`]
    const known = [...COMMON, ...entry.flags.map(({ name }) => name)]
    const flags = [...rest.matchAll(/--([a-z][a-z-]*)/g)].map(([, flag = '']) => flag)
    return flags.filter((flag) => !known.includes(flag)).map((flag) => `--${flag} is no flag of: ${whole}`)
  })
}

test('the scan finds an unknown command or flag in a message', () => {
  expect(faultsIn("'run muster init, or muster fly away'")).toEqual(['there is no command for: muster fly away'])
  expect(faultsIn('`muster promote ${id} --froce`')).toEqual(['--froce is no flag of: muster promote ${id} --froce'])
  expect(faultsIn('/** muster fly */ // muster fly\n`muster promote ${id} --force`')).toEqual([])
})

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file !== join('cli', 'manifest.ts'))
  .toSorted()

test('every command named in a message exists', () => {
  const faults = files.flatMap((file) =>
    faultsIn(readFileSync(join(src, file), 'utf8')).map((fault) => `${file}: ${fault}`),
  )
  expect(faults).toEqual([])
})
