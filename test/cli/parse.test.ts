import { describe, expect, test } from 'vitest'
import {
  cardIds,
  choice,
  duration,
  each,
  idsThenReason,
  jsonObject,
  moment,
  optionalArgument,
  text,
  toggle,
  whole,
  argument,
} from '../../src/cli/flags.ts'
import { commonValues } from '../../src/cli/common-flags.ts'
import { readValues, splitFor } from '../../src/cli/parse.ts'
import { defineCommand } from '../../src/cli/command.ts'
import type { CliCommand } from '../../src/cli/command.ts'
import type { World } from '../../src/cli/world.ts'

const NOON = new Date(2026, 10, 15, 12).getTime()
const world = { now: () => NOON, readStdin: async () => Buffer.from('') } as unknown as World

const sample = defineCommand({
  group: 'more',
  operation: null,
  args: { title: argument('a title'), second: optionalArgument('another argument') },
  flags: {
    name: text('<text>', 'a text'),
    kind: choice(['one', 'two'], 'a choice'),
    count: whole({ min: 1 }, 'a number'),
    maxRuntime: duration('a duration'),
    at: moment('a time'),
    data: jsonObject('an object'),
    tag: each(text('<text>', 'many')),
    force: toggle('a switch'),
  },
  examples: [],
  run: async () => {},
}) as unknown as CliCommand

async function parsed(command: CliCommand, ...argv: string[]): Promise<Record<string, unknown>> {
  const line = splitFor('sample', command, argv)
  commonValues(line.flags)
  return readValues('sample', command, line, world)
}

const limited = {
  ...sample,
  args: {},
  flags: { limit: whole({}, 'how many'), force: toggle('a switch') },
} as CliCommand

const common = (...argv: string[]) => commonValues(splitFor('sample', sample, argv).flags)

const values = (...argv: string[]): Promise<Record<string, unknown>> => parsed(sample, ...argv)

describe('a valid line', () => {
  test('arguments are read in order, flags by name, and missing switches as false', async () => {
    expect(await values('hello', '--name', 'x', '--count=3', '--tag', 'a', '--tag=b')).toEqual({
      title: 'hello',
      second: undefined,
      name: 'x',
      count: 3,
      tag: ['a', 'b'],
      force: false,
    })
  })

  test('durations, times and objects are parsed', async () => {
    const read = await values('x', '--max-runtime', '30m', '--at', '+1h', '--data', '{"a":1}', '--kind', 'TWO')
    expect(read).toMatchObject({ maxRuntime: 1_800_000, at: NOON + 3_600_000, data: { a: 1 }, kind: 'two' })
  })

  test('the last value of a flag counts, and everything after -- is an argument', async () => {
    expect(await values('--name', 'a', '--name', 'b', '--', '--title')).toMatchObject({ name: 'b', title: '--title' })
  })

  test('a value that begins with dashes is accepted after =', async () => {
    expect(await values('x', '--name=--y')).toMatchObject({ name: '--y' })
    expect(await values('-')).toMatchObject({ title: '-' })
  })

  test('a letter stands for the same flag everywhere, alone, in a group or with its value', async () => {
    expect(await values('x', '-f')).toMatchObject({ title: 'x', force: true })
    expect(await values('x', '-qf')).toMatchObject({ force: true })
    for (const argv of [['-n', '5'], ['-n5'], ['-n=5'], ['-fn', '5']])
      expect(await parsed(limited, ...argv)).toMatchObject({ limit: 5 })
    expect(await values('--', '-f')).toMatchObject({ title: '-f', force: false })
    expect(await values('-5')).toMatchObject({ title: '-5' })
  })

  test('the common flags are accepted by every command', () => {
    expect(common('--json', 'x', '--board', 'b')).toEqual({
      json: true,
      fields: null,
      iso: false,
      quiet: false,
      color: 'auto',
      help: false,
      board: 'b',
    })
    expect(common('-h')).toMatchObject({ help: true })
    expect(common('-qb', 'work', '--json=id, status', '--color', 'never')).toMatchObject({
      quiet: true,
      board: 'work',
      fields: ['id', 'status'],
      color: 'never',
    })
  })
})

describe('an invalid line', () => {
  test.each([
    [[], 'muster sample needs <title>. For help: muster sample --help'],
    [['a', 'b', 'c'], 'Unexpected argument "c". Put a text of several words in quotes.'],
    [['a', 'b', '-k'], 'Unknown flag -k. Did you mean --kind?'],
    [['a', '--nmae', 'x'], 'Unknown flag --nmae. Did you mean --name?'],
    [['a', '-x'], 'Unknown flag -x. For a text that begins with a dash, put -- before it: muster sample -- -x'],
    [['a', '-fx'], 'Unknown flag -x. For a text that begins with a dash, put -- before it: muster sample -- -x'],
    [['a', '--color', 'pink'], '--color: use one of auto, always, never.'],
    [['a', '--zzz'], 'Unknown flag --zzz. To list the flags: muster sample --help'],
    [['a', '--name'], '--name needs a value.'],
    [['a', '--name', '--force'], '--name needs a value (if the value is --force, write --name=--force).'],
    [['a', '--force=yes'], '--force takes no value.'],
    [['a', '--count', '0'], '--count: use a whole number, 1 or more.'],
    [['a', '--count', '1.5'], '--count: use a whole number, 1 or more.'],
    [['a', '--kind', 'three'], '--kind: use one of one, two.'],
    [['a', '--max-runtime', 'soon'], '--max-runtime: use a duration such as 90 (seconds), 90s, 30m, 2h or 1d.'],
    [['a', '--at', 'soon'], '--at: use a time such as 2026-11-30, 2026-11-30T09:00, 09:00, tomorrow or +2h.'],
    [['a', '--data', '[]'], '--data: use a JSON object, such as {"tests": 12}.'],
  ])('the arguments %j are refused with one sentence', async (argv, sentence) => {
    await expect((async () => values(...argv))()).rejects.toMatchObject({ code: 'invalid_input', message: sentence })
  })
})

describe('many cards', () => {
  const commandOf = (args: CliCommand['args']): CliCommand => ({ ...sample, args: args ?? {}, flags: {} })

  test('several ids are read as a list', async () => {
    expect(await parsed(commandOf({ ids: cardIds }), 't_abc', 't_def')).toEqual({ ids: ['t_abc', 't_def'] })
    await expect((async () => parsed(commandOf({ ids: cardIds })))()).rejects.toMatchObject({
      message: '<ids>: give at least one card.',
    })
  })

  test('the arguments after the ids are read as the reason', async () => {
    expect(await parsed(commandOf({ cards: idsThenReason }), 't_abc', 'T_DEF', 'waits', 'for', 't_abc')).toEqual({
      cards: { ids: ['t_abc', 'T_DEF'], reason: 'waits for t_abc' },
    })
    expect(await parsed(commandOf({ cards: idsThenReason }), 't_abc')).toEqual({
      cards: { ids: ['t_abc'], reason: null },
    })
  })
})
