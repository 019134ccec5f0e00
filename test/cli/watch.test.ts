// Tests the screen that `watch` draws and restores on a terminal, and the lines of `tail`.
import { expect, onTestFinished, test } from 'vitest'
import { CardTitles } from '../../src/cli/card-titles.ts'
import { widthOf } from '../../src/cli/render/width.ts'
import type { Keyboard } from '../../src/cli/output/keyboard.ts'
import type { Terminal } from '../../src/cli/output/terminal.ts'
import type { World } from '../../src/cli/world.ts'
import type { Store } from '../../src/storage/store.ts'
import { makeCommandLine } from '../helpers/command-line.ts'
import type { CommandLine } from '../helpers/command-line.ts'
import { shownScreen } from '../helpers/shown-screen.ts'
import { testHere } from '../helpers/through-url.ts'

interface Watching {
  readonly output: () => string
  /** What the terminal shows. */
  readonly picture: () => readonly string[]
  readonly terminal: { columns: number; rows: number }
  readonly press: (text: string) => void
  readonly interrupt: () => void
  readonly resize: () => void
  readonly ended: ReturnType<CommandLine['run']>
}

interface How {
  readonly columns?: number
  readonly world?: Partial<World>
}

/** Starts a long-running command on a terminal with a keyboard. The test can resize the terminal. */
function start(line: CommandLine, argv: readonly string[], { columns = 60, world = {} }: How = {}): Watching {
  let output = ''
  let interrupt = (): void => {}
  let resize = (): void => {}
  let onText = (_text: string): void => {}
  const terminal = {
    columns,
    rows: 24,
    colors: false,
    onResize: (callback: () => void) => {
      resize = callback
      return () => undefined
    },
  } satisfies Terminal
  const keyboard: Keyboard = {
    listen: (callback) => {
      onText = callback
      return () => (onText = () => {})
    },
    suspend: async () => undefined,
    onContinue: () => () => undefined,
  }
  const ended = line.run(argv, {
    world: {
      terminal,
      keyboard: async () => keyboard,
      stdout: { write: (text) => (output += text) },
      onInterrupt: (callback) => {
        const before = interrupt
        interrupt = () => (before(), callback())
        return () => undefined
      },
      ...world,
    },
  })
  onTestFinished(async () => {
    interrupt()
    await ended
  })
  return {
    output: () => output,
    picture: () => (shownScreen(output).lines ?? []).map((shown) => shown.trimEnd()),
    terminal,
    press: (text) => onText(text),
    interrupt: () => interrupt(),
    resize: () => resize(),
    ended,
  }
}

async function shows(watching: Watching, text: string | RegExp): Promise<void> {
  await expect.poll(() => watching.picture().join('\n')).toMatch(text)
}

test('`watch` shows the board live, adapts to the terminal and restores it', async () => {
  const line = makeCommandLine()
  await line.create('An \u001b[31mold card', '--assignee', 'coder')
  const watching = start(line, ['watch'])
  await shows(watching, /▶ Ready 1/)
  await shows(watching, String.raw`An \x1b[31mold card`)
  expect(shownScreen(watching.output())).toMatchObject({ hidesCursor: true, wraps: false })

  const card = await line.create('A card at work')
  await line.muster('claim', card.id)
  await shows(watching, /● Running 1[^]*A card at work\n[^\n]*ada/)

  watching.terminal.columns = 24
  watching.terminal.rows = 8
  watching.resize()
  await expect.poll(() => watching.picture().length).toBe(8)
  expect(Math.max(...watching.picture().map(widthOf))).toBeLessThanOrEqual(24)

  watching.interrupt()
  expect((await watching.ended).code).toBe(0)
  expect(shownScreen(watching.output())).toMatchObject({ lines: null, hidesCursor: false, wraps: true })
})

test('a person can answer a question on the screen, and the screen shows events and failures', async () => {
  const line = makeCommandLine()
  const card = await line.create('Serve', '--assignee', 'shell', '--body', 'true')
  await line.muster('block', card.id, '어떤 포트를 쓸까요?')
  const watching = start(line, ['watch'])
  await shows(watching, /⊘ Blocked 1[^]*어떤 포트를/)
  watching.press('a')
  await shows(watching, /Question\n {2}어떤 포트를 쓸까요\?/)
  watching.press('8080 포트\r')
  await shows(watching, /▶ Ready 1/)
  expect((await line.show(card.id)).comments).toMatchObject([{ body: '8080 포트' }])
  watching.press('e')
  await shows(watching, /unblocked {11}t_\w{6} {2}Serve/)
  watching.press('qp')
  await shows(watching, /^default {2}paused/)
  watching.press('o')
  await shows(watching, /Muster isn't running\. Start it with: muster up|No browser found\./)
  watching.press('q')
  expect((await watching.ended).code).toBe(0)
})

test('the filter searches the whole board while a person types', async () => {
  const line = makeCommandLine()
  for (const title of ['Paint the wall', '벽을 칠하기', 'Write the notes']) await line.create(title)
  const watching = start(line, ['watch'])
  await shows(watching, /▶ Ready 3/)
  watching.press('/벽')
  await shows(watching, /▶ Ready 1[^]*벽을 칠하기/)
  expect(watching.picture().join('\n')).not.toContain('Paint')
  watching.press('\r\r')
  await shows(watching, /^t_\w+[^]*벽을 칠하기[^]*ready/)
})

test('`watch` shows only cards of `--assignee`, or cards of every board with `--all-boards`', async () => {
  const line = makeCommandLine()
  const mine = await line.create('mine', '--assignee', 'coder')
  await line.create('other', '--assignee', 'eve')
  const watching = start(line, ['watch', '--assignee', 'coder'])
  await shows(watching, mine.id.slice(0, 8))
  expect(watching.picture().join('\n')).not.toContain('other')

  await line.muster('boards', 'create', 'site')
  const all = start(line, ['watch', '--all-boards'])
  await shows(all, /^All boards/)
  await line.create('Far away', '--board', 'site')
  await shows(all, /Far away\n[^\n]*\n {2}on site/)
})

test('only lines that changed are drawn, at most ten times per second', async () => {
  const line = makeCommandLine()
  for (const title of ['A', 'B', 'C']) await line.create(title)
  const watching = start(line, ['watch'])
  await shows(watching, /▶ Ready 3/)
  const before = watching.output().length
  const drawings = shownScreen(watching.output()).drawings
  const from = performance.now()
  for (let at = 0; at < 200; at += 1) {
    watching.press(at % 2 === 0 ? 'j' : 'k')
    await new Promise(setImmediate)
  }
  watching.press('g')
  await expect.poll(() => watching.picture()[3]).toMatch(/^▌ A/)
  const seconds = (performance.now() - from) / 1000
  expect(shownScreen(watching.output()).drawings - drawings).toBeLessThanOrEqual(2 + 10 * seconds)
  expect(watching.output().length - before).toBeLessThan((3 + 10 * seconds) * 600)
})

test('an error that a retry cannot fix ends the screen and is printed afterwards', async () => {
  const line = makeCommandLine()
  await line.create('A')
  const watching = start(line, ['watch', '--board', 'nowhere'])
  expect(await watching.ended).toMatchObject({ code: 3, stderr: expect.stringContaining('nowhere') as string })
  expect(shownScreen(watching.output()).lines).toBeNull()
})

testHere('`watch` prints a line per event on a dumb terminal, and with --lines also in a pipe', async () => {
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
  const since = (await firstCursor(line, card.id)) ?? ''
  const dumb = line.run(['watch', '--since', since], { world, env: { TERM: 'dumb' } })
  await line.muster('hold', card.id)
  await expect.poll(() => output).toMatch(/^\d\d:\d\d:\d\d {2}held/)
  interrupt()
  expect((await dumb).code).toBe(0)
  output = ''
  const ended = line.run(['watch', '--lines'], { world })
  await expect
    .poll(async () => (await line.muster('release', card.id), await line.muster('hold', card.id), output))
    .toMatch(/^\d\d:\d\d:\d\d {2}(held|released)/)
  interrupt()
  expect((await ended).code).toBe(0)
  for (const shown of output.trimEnd().split('\n')) expect(widthOf(shown)).toBeLessThanOrEqual(40)
  output = ''
  const piped = line.run(['watch', '--lines'], { world: { ...world, terminal: null } })
  await expect
    .poll(async () => (await line.muster('release', card.id), await line.muster('hold', card.id), output))
    .toMatch(/^\d\d:\d\d:\d\d {2}(held|released)/)
  interrupt()
  expect((await piped).code).toBe(0)
})

const firstCursor = async (line: CommandLine, card: string): Promise<string | undefined> => {
  const { stdout } = await line.muster('tail', card, '--no-follow')
  return (JSON.parse(stdout.split('\n')[0] ?? '{}') as { cursor?: string }).cursor
}

test('`watch` reads each title once, and still shows it after its card is deleted', async () => {
  const line = makeCommandLine()
  const card = await line.create('Paint the wall')
  const titles = CardTitles.in(await counting(line))
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
  expect(await CardTitles.in(await counting(line)).titleFor(event)).toBe('Paint the roof')
})

let lookups = 0

/** Returns the store, and counts its look-ups. */
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
