import { expect, test } from 'vitest'
import { findCommand, unknownCommand } from '../../src/cli/find-command.ts'
import type { CommandEntry } from '../../src/cli/manifest-entry.ts'

const entry = (name: string, ...aliases: string[]): CommandEntry => ({
  name,
  aliases,
  group: 'more',
  summary: '',
  args: [],
  flags: [],
  examples: [],
  load: () => Promise.reject(new Error('not here')),
})
const manifest = [
  entry('list', 'ls'),
  entry('show'),
  entry('boards list', 'boards'),
  entry('boards create'),
  entry('help'),
]
const found = (...argv: string[]) => {
  const { entry: command, rest, version } = findCommand(manifest, argv)
  return [command?.name ?? null, rest, ...(version ? ['version'] : [])]
}

test('common flags before a command are passed to the command', () => {
  expect(found('--json', '--board', 'list', 'show', 't_abc')).toEqual(['show', ['--json', '--board', 'list', 't_abc']])
  expect(found('--board=x', 'list')).toEqual(['list', ['--board=x']])
})

test('two-word commands, default commands of groups and aliases are found', () => {
  expect(found('boards', 'create', 'x')).toEqual(['boards create', ['x']])
  expect(found('boards', '--json')).toEqual(['boards list', ['--json']])
  expect(found('ls')).toEqual(['list', []])
  expect(found('boards', 'creat')).toEqual([null, ['boards', 'creat']])
  expect(findCommand(manifest, ['ls']).called).toBe('ls')
})

test('a line without a command prints help or the version', () => {
  expect(found('help', 'boards', 'create')).toEqual(['help', ['boards', 'create']])
  for (const line of [[], ['-h'], ['--help']]) expect(found(...line)).toEqual(['help', []])
  expect(found('--json')).toEqual(['help', ['--json']])
  expect(found('--version')).toEqual(['help', ['--version'], 'version'])
})

test.each([
  [['lst'], 'Unknown command "lst". Did you mean muster list?'],
  [['boards', 'creat'], 'Unknown command "boards creat". Did you mean muster boards create?'],
  [['zzzzzz'], 'Unknown command "zzzzzz". To list all commands: muster help'],
])('the unknown command %j gets a suggestion', (words, sentence) => {
  expect(unknownCommand(manifest, words).message).toBe(sentence)
})
