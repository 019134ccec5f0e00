// Tests `muster watch` in a real terminal: keys, resizing, suspending, and the restored terminal after every end.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { BIN, makeTestHome } from '../helpers/cli.ts'
import { noTerminal, openTerminal } from '../helpers/pseudo-terminal.ts'
import type { PseudoTerminal } from '../helpers/pseudo-terminal.ts'
import { WAITS } from '../helpers/run-cards.ts'

const muster = `"${process.execPath}" "${BIN}"`

async function shows(terminal: PseudoTerminal, text: string | RegExp): Promise<void> {
  await expect.poll(() => (terminal.screen().lines ?? []).map((line) => line.trimEnd()).join('\n')).toMatch(text)
}

async function isRestored(terminal: PseudoTerminal): Promise<void> {
  await expect.poll(() => terminal.screen()).toMatchObject({ lines: null, hidesCursor: false, wraps: true })
}

/** Finds the process of the screen by its data folder. */
const pidOf = (home: string): number =>
  Number(execFileSync('sh', ['-c', 'cat "$1/watch.pid"', 'sh', home], { encoding: 'utf8' }))

test.skipIf(noTerminal !== null)(
  'keys control the live board of `watch`, and every way to end restores the terminal',
  async () => {
    const home = makeTestHome('sqlite')
    const asks = await home.create('포트를 고르기', '--assignee', 'shell', '--body', 'true')
    await home.runInline('block', asks.id, '8080?')
    const works = await home.create('Count', '--assignee', 'shell', '--body', `echo 첫 줄; ${WAITS}`)
    await home.dispatch()
    await home.liveRun(works.id)
    const terminal = await openTerminal(home.env, { columns: 100, rows: 24 })
    const watch = (): void => terminal.type(`sh -c 'echo $$ > "$MUSTER_HOME/watch.pid"; exec ${muster} watch'\n`)

    watch()
    await shows(terminal, /● Running 1 +⊘ Blocked 1/)
    await shows(terminal, /> begun/)
    terminal.type('l')
    await shows(terminal, /^Log of [^]*첫 줄/)
    terminal.type('\u001b')
    await shows(terminal, /^default/)

    terminal.type('\u001b[Ca')
    await shows(terminal, /Question\n {2}8080\?/)
    terminal.type('네, 8080')
    await shows(terminal, /Answer t_\w{6}: 네, 8080$/)
    terminal.type('\r')
    await shows(terminal, /▶ Ready 1/)
    expect((await home.show(asks.id)).comments).toMatchObject([{ body: '네, 8080' }])

    terminal.resize(40, 12)
    await expect.poll(() => terminal.screen().lines?.length).toBe(12)
    await shows(terminal, /\d of 2/)

    terminal.type('\u001a')
    await isRestored(terminal)
    terminal.type('fg\n')
    await shows(terminal, /\d of 2/)
    terminal.type('q')
    await isRestored(terminal)

    for (const end of ['\u0003', 'SIGTERM', 'SIGHUP'] as const) {
      watch()
      await shows(terminal, /▶ Ready 1/)
      if (end === '\u0003') terminal.type(end)
      else process.kill(pidOf(home.home), end)
      await isRestored(terminal)
    }
    terminal.type('echo after=$(stty -a | grep -o "[-]*icanon")\n')
    await expect.poll(() => terminal.output()).toContain('after=icanon')
  },
)
