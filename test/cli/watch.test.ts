// `watch` and `tail` on a terminal: the screen that they draw and restore.
import { expect, onTestFinished, test } from 'vitest'
import { CardTitles } from '../../src/cli/card-titles.ts'
import { widthOf } from '../../src/cli/render/width.ts'
import type { Terminal } from '../../src/cli/output/terminal.ts'
import type { Store } from '../../src/storage/store.ts'
import { makeCommandLine } from '../helpers/command-line.ts'
import type { CommandLine } from '../helpers/command-line.ts'

// eslint-disable-next-line no-control-regex -- the pattern matches escape codes
const CLEARING = /\u001b\[(2K|J)/g

const ENTER = '\u001b[?1049h'
const LEAVE = '\u001b[?1049l'

interface Watching {
  readonly output: () => string
  /** The lines that were drawn last. */
  readonly picture: () => string[]
  readonly terminal: { columns: number; rows: number }
  readonly interrupt: () => void
  readonly resize: () => void
  readonly ended: ReturnType<CommandLine['run']>
}

/** A long-running command on a terminal that a test can resize. */
function start(line: CommandLine, argv: readonly string[]): Watching {
  let output = ''
  let interrupt = (): void => {}
  let resize = (): void => {}
  const terminal = {
    columns: 60,
    rows: 12,
    colors: false,
    onResize: (callback: () => void) => {
      resize = callback
      return () => undefined
    },
  } satisfies Terminal
  const ended = line.run(argv, {
    world: {
      terminal,
      stdout: { write: (text) => (output += text) },
      onInterrupt: (callback) => {
        interrupt = callback
        return () => undefined
      },
    },
  })
  onTestFinished(async () => {
    interrupt()
    await ended
  })
  return {
    output: () => output,
    picture: () => (output.split('\u001b[H').at(-1) ?? '').replaceAll(CLEARING, '').split('\r\n'),
    terminal,
    interrupt: () => interrupt(),
    resize: () => resize(),
    ended,
  }
}

test('`watch` redraws the board after changes and restores the screen', async () => {
  const line = makeCommandLine()
  await line.create('An \u001b[31mold card', '--assignee', 'coder')
  const watching = start(line, ['watch'])
  await expect.poll(() => watching.picture()[1]).toBe('▶ ready 1   ● running 0')
  expect(watching.output().startsWith(ENTER)).toBe(true)
  const created = watching.picture().find((row) => row.includes('created'))
  expect(created).toMatch(/created {11} {2}t_\w{6} {2}An \\x1b\[31mold/)

  const card = await line.create('A card at work')
  await line.muster('claim', card.id)
  await expect.poll(() => watching.picture()[1]).toBe('▶ ready 1   ● running 1')
  expect(watching.picture().find((row) => row.includes(card.id))).toMatch(/ {2}ada +#1 +[\d.]+ s {2}A card at work/)

  watching.terminal.columns = 24
  watching.terminal.rows = 6
  watching.resize()
  await expect.poll(() => watching.picture().length).toBeLessThanOrEqual(6)
  await expect.poll(() => Math.max(...watching.picture().map(widthOf))).toBeLessThanOrEqual(24)

  watching.interrupt()
  expect((await watching.ended).code).toBe(0)
  expect(watching.output().endsWith(LEAVE)).toBe(true)
})

test('`watch --assignee` shows only cards of that agent', async () => {
  const line = makeCommandLine()
  const [mine, other] = [
    await line.create('mine', '--assignee', 'coder'),
    await line.create('other', '--assignee', 'eve'),
  ]
  for (const { id } of [mine, other]) await line.muster('claim', id)
  const watching = start(line, ['watch', '--assignee', 'coder'])
  await expect.poll(() => watching.picture().join('\n')).toContain(mine.id)
  expect(watching.picture().join('\n')).not.toContain(other.id)
})

test('`watch` prints a line per event on a dumb terminal', async () => {
  const line = makeCommandLine()
  const card = await line.create('A')
  let output = ''
  let interrupt = (): void => {}
  const world = {
    terminal: { columns: 40, rows: 10, colors: false },
    stdout: { write: (text: string) => (output += text) },
    onInterrupt: (callback: () => void) => {
      interrupt = callback
      return () => undefined
    },
  }
  const ended = line.run(['watch', '--since', (await firstCursor(line, card.id)) ?? ''], {
    world,
    env: { TERM: 'dumb' },
  })
  await line.muster('hold', card.id)
  await expect.poll(() => output).toMatch(/^\d\d:\d\d:\d\d {2}held/)
  interrupt()
  expect((await ended).code).toBe(0)
  for (const shown of output.trimEnd().split('\n')) expect(widthOf(shown)).toBeLessThanOrEqual(40)
})

const firstCursor = async (line: CommandLine, card: string): Promise<string | undefined> => {
  const { stdout } = await line.muster('tail', card, '--no-follow')
  return (JSON.parse(stdout.split('\n')[0] ?? '{}') as { cursor?: string }).cursor
}

test('`watch` reads each title once, and still shows it after its card is deleted', async () => {
  const line = makeCommandLine()
  const card = await line.create('Paint the wall')
  const titles = new CardTitles(await counting(line))
  const event = { kind: 'held', taskId: card.id } as const
  expect(await titles.titleFor(event)).toBe('Paint the wall')
  await line.muster('delete', card.id)
  expect(await titles.titleFor(event)).toBe('Paint the wall')
  expect(lookups).toBe(1)
  expect(await titles.titleFor({ ...event, taskId: 't_0000000000' as never })).toBeNull()
  expect(await titles.titleFor({ kind: 'paused', taskId: null })).toBeNull()
  await line.muster('undelete', card.id)
  await line.muster('edit', card.id, '--title', 'Paint the roof')
  expect(await titles.titleFor({ ...event, kind: 'edited' })).toBe('Paint the roof')
  expect(await new CardTitles(await counting(line)).titleFor(event)).toBe('Paint the roof')
})

let lookups = 0

/** The store, with its lookups counted. */
async function counting(line: CommandLine): Promise<Pick<Store, 'tasksByPrefix'>> {
  const store = await line.store()
  lookups = 0
  return {
    tasksByPrefix: (...asked) => {
      lookups += 1
      return store.tasksByPrefix(...asked)
    },
  }
}

test('`tail` prints a line per event and ends with Ctrl-C', async () => {
  const line = makeCommandLine()
  const card = await line.create('A')
  const tailing = start(line, ['tail', card.id])
  await expect.poll(() => tailing.output()).toMatch(/^\d\d:\d\d:\d\d {2}created +ada +ready\n$/)
  await line.muster('hold', card.id, 'rain')
  await expect.poll(() => tailing.output()).toMatch(/held +ada +rain\n$/)
  tailing.interrupt()
  expect(await tailing.ended).toMatchObject({ code: 0, stderr: `${card.id}  A\n` })
})
