// Tests `muster log`: the transcript of a run, on terminals of any size.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { Terminal } from '../../src/cli/output/terminal.ts'
import { widthOf } from '../../src/cli/render/width.ts'
import { readTranscript } from '../../src/operations/runs/read-transcript.ts'
import { newRunId } from '../../src/util/mint.ts'
import { writeCut } from '../../src/runs/log/log-cut.ts'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import { writeTicket } from '../../src/supervisor/start/ticket.ts'
import { makeCommandLine } from '../helpers/command-line.ts'
import type { CommandLine } from '../helpers/command-line.ts'
import { clockwork, identity } from '../helpers/sample.ts'
import { STREAMS } from '../helpers/streams.ts'

const { output: passage } = await readTranscript.schemas()

let line: CommandLine
let card: string
let log: string
beforeEach(async () => {
  line = makeCommandLine()
  ;({ id: card } = await line.create('talks', '--assignee', 'coder'))
  log = await begin()
})

/** Starts a run of the card and returns the path of its log. */
async function begin(): Promise<string> {
  const store = await line.store()
  const { id: task } = await line.show(card)
  const own = identity()
  const run = newRunId()
  const address = { board: 'default', actor: clockwork } as const
  const lead = { machine: own.machine, tokenHash: 'lead', identity: own, leaseMs: 60_000 }
  unwrap(await store.decide({ ...address, verb: 'lead_dispatch', input: lead }))
  const by = { machine: own.machine, dispatcher: own, dispatcherTokenHash: 'lead', agent: 'coder' }
  // The folder is created before the claim, because a follower looks for it at once.
  const directory = runDirectoryAt(join(line.home, 'runs', run))
  mkdirSync(directory.path, { recursive: true })
  unwrap(await store.decide({ ...address, verb: 'claim', input: { task, runId: run, tokenHash: 'x', ...by } }))
  return directory.log
}

/** Writes a ticket that names the harness of the run. */
async function startedAs(harness: string): Promise<void> {
  const { id: task } = await line.show(card)
  const run = (await line.show(card)).runs[0]?.id
  if (run === undefined) throw new Error('it has not run')
  await writeTicket(runDirectoryAt(join(log, '..')), {
    version: 1,
    home: line.home,
    store: 'x',
    board: 'default',
    task,
    run,
    token: 'x',
    agent: 'coder',
    harness,
    completesOnExit: false,
    passEnvironment: [],
    terminateGraceMs: 1,
    killWaitMs: 1,
  })
}

const onTerminal = async (columns: number, argv: readonly string[] = [], rest: Partial<Terminal> = {}) => {
  const world = { terminal: { columns, rows: 24, colors: false, ...rest } }
  const { code, stdout } = await line.run(['log', card, ...argv], { world })
  expect(code).toBe(0)
  return stdout
}

describe('log on a terminal', () => {
  test('a terminal gets a transcript, and a pipe gets the log', async () => {
    writeFileSync(log, STREAMS.claude)
    await startedAs('claude')
    const transcript = [
      '── turn 1',
      '',
      'I look first.',
      '',
      '→ Bash npm test',
      '  ✗ Exit code 1',
      '    no tests',
      '→ Write /w/a.txt',
      '  ✓ File created',
      '± /w/a.txt',
      '',
      'all done',
      '',
      '  300 tokens in, 60 out, $0.003',
      '(1 line of other kinds omitted; to see them: --raw)',
      '',
    ].join('\n')
    expect(await onTerminal(80)).toBe(transcript)
    expect((await line.muster('log', card, '--pretty')).stdout).toBe(transcript)
    expect((await line.muster('log', card)).stdout).toBe(STREAMS.claude)
    expect(await onTerminal(80, ['--raw'])).toBe(STREAMS.claude)
    expect(await onTerminal(80, ['--tail', '2'])).toBe('all done\n\n  300 tokens in, 60 out, $0.003\n')
    expect(await onTerminal(80, ['--tail', '400b'])).toMatch(/all done\n\n {2}300 tokens/)
  })

  test.each(Object.entries(STREAMS))(
    'a stream of %s is recognized even without the ticket file of its run',
    async (_, stream) => {
      writeFileSync(log, stream)
      const transcript = await onTerminal(80)
      expect(transcript).toMatch(/I look first\.\n\n→ \w+ npm test\n {2}✗ Exit code 1\n {4}no tests\n/)
      expect(transcript).toContain('/w/a.txt')
      expect(transcript).not.toContain('{')
    },
  )

  test('a transcript fits a narrow terminal', async () => {
    const text = '日本語のとても長い説明 with averyverylongwordthatdoesnotfit in it'
    const message = { type: 'assistant', message: { content: [{ type: 'text', text }] } }
    writeFileSync(log, `${STREAMS.claude}${JSON.stringify(message)}\n`)
    for (const columns of [60, 30, 12])
      for (const shown of (await onTerminal(columns)).split('\n')) expect(widthOf(shown)).toBeLessThanOrEqual(columns)
  })

  test('a transcript escapes control characters of the agent and adds colours only if enabled', async () => {
    const text = 'a\u001b[2Jb\u202ec'
    const message = { type: 'assistant', message: { content: [{ type: 'text', text }] } }
    writeFileSync(log, `${STREAMS.claude}${JSON.stringify(message)}\nwarn\u0007ing\n`)
    expect(await onTerminal(80)).toContain('a\\x1b[2Jb\\u202ec')
    expect(await onTerminal(80)).toContain('warn\\x07ing')
    expect(await onTerminal(80)).not.toContain('\u001b')
    expect(await onTerminal(80, [], { colors: true })).toContain('\u001b[36m→ Bash npm test\u001b[39m')
    expect((await line.muster('log', card, '--pretty')).stdout).not.toContain('\u001b')
  })

  test('a reset time in an error message is shown as a date', async () => {
    const reset = new Date(2026, 10, 16, 7, 30).getTime() / 1000
    const over = { type: 'result', is_error: true, result: `usage limit reached|${reset}` }
    writeFileSync(log, `${JSON.stringify(over)}\n`)
    await startedAs('claude')
    expect(await onTerminal(80)).toBe('✗ rate limit: usage limit reached until 2026-11-16 07:30\n')
  })

  test('a transcript marks the omitted part of a log', async () => {
    const bytes = Buffer.from(`${STREAMS.codex}${STREAMS.codex}`)
    writeFileSync(log, bytes)
    await startedAs('codex')
    const to = bytes.length - 150
    await writeCut(log, { from: 60, to, kept: 0, base: 0 })
    expect(await onTerminal(80)).toBe(
      ['── turn 1', `[… ${to - 60} bytes omitted …]`, '', 'all done', '', '  300 tokens in, 60 out', ''].join('\n'),
    )
  })

  test('the output of a shell card is shown as text', async () => {
    await startedAs('shell')
    writeFileSync(log, '{"type":"result"}\n\n  two\r\n10 %\r20 %\nno end')
    expect(await onTerminal(10)).toBe('{"type":"result"}\n\n  two\n10 %\\x0d20 %\nno end\n')
    expect(await onTerminal(10, ['--tail', '1'])).toBe('no end\n')
  })
})

test('`log --pretty --json` prints one JSON line for each entry of the transcript', async () => {
  writeFileSync(log, `${STREAMS.opencode}starting\n`)
  const { stdout } = await line.muster('log', card, '--pretty', '--json')
  const passages = stdout
    .trimEnd()
    .split('\n')
    .map((one) => passage.parse(JSON.parse(one)))
  expect(passages.map(({ kind }) => kind)).toEqual(
    'turn said called returned called returned changed said printed used'.split(' '),
  )
  expect(passages.at(-1)).toEqual({
    run: (await line.show(card)).runs[0]?.id,
    kind: 'used',
    usage: { inputTokens: 300, outputTokens: 60, costUsd: 0.003 },
  })
  expect((await line.muster('log', card, '--json')).json()).toMatchObject({ text: `${STREAMS.opencode}starting\n` })
})

test('`log --pretty` reports an empty log and refuses --raw', async () => {
  expect(await line.muster('log', card, '--pretty')).toMatchObject({ stdout: '', stderr: '(no output)\n' })
  expect(await line.muster('log', card, '--pretty', '--raw')).toMatchObject({ code: 2 })
})

test('`log --follow` prints new output until the run ends', async () => {
  writeFileSync(log, STREAMS.gemini.slice(0, 300))
  let output = ''
  const stdout = { write: (text: string) => (output += text) }
  const ended = line.run(['log', card, '--follow', '--pretty'], { world: { stdout } })
  await expect.poll(() => output).toContain('I look first.')
  writeFileSync(log, STREAMS.gemini)
  await expect.poll(() => output).toContain('300 tokens in')
  const store = await line.store()
  const { id: task, runs } = await line.show(card)
  const runId = runs[0]?.id
  if (runId === undefined) throw new Error('it has not run')
  const by = { fence: { runId, tokenHash: 'x' } }
  const address = { board: 'default', actor: clockwork } as const
  unwrap(await store.decide({ ...address, verb: 'settle', input: { task, runId, by, ending: { how: 'exited' } } }))
  expect((await ended).code).toBe(0)
  expect(output).toMatch(
    /all done\n\n {2}300 tokens in, 60 out\n\(1 line of other kinds omitted; to see them: --raw\)\n$/,
  )
})

describe('log --follow of a card that has not run yet', () => {
  beforeEach(async () => {
    ;({ id: card } = await line.create('comes late', '--assignee', 'coder'))
  })

  const waiting = (id: string): string =>
    `Card ${id} has not run yet, so it has no log. Waiting for it. To see why: muster why ${id}\n`

  /** Follows the log until the command ends or the test interrupts it. */
  function follow(...argv: string[]) {
    const printed = { stdout: '', stderr: '' }
    let interrupt = (): void => {}
    const ended = line.run(['log', card, '--follow', ...argv], {
      world: {
        stdout: { write: (text) => (printed.stdout += text) },
        stderr: { write: (text) => (printed.stderr += text) },
        onInterrupt: (callback) => {
          interrupt = callback
          return () => undefined
        },
      },
    })
    return { printed, ended, interrupt: () => interrupt() }
  }

  test.each([[[]], [['--pretty']]])('log --follow %j waits for the first run and prints its output', async (argv) => {
    const following = follow(...argv)
    await expect.poll(() => following.printed.stderr).toBe(waiting(card))
    writeFileSync(await begin(), 'it begins\n')
    await expect.poll(() => following.printed.stdout).toBe('it begins\n')
    following.interrupt()
    expect((await following.ended).code).toBe(0)
    expect(following.printed.stderr).toBe(waiting(card))
  })

  test('Ctrl-C ends `log --follow` while the command waits for output', async () => {
    const following = follow()
    await expect.poll(() => following.printed.stderr).toBe(waiting(card))
    following.interrupt()
    expect((await following.ended).code).toBe(0)
    expect(following.printed).toEqual({ stdout: '', stderr: waiting(card) })
  })

  test('`log --follow` ends when the card is archived', async () => {
    const following = follow()
    await expect.poll(() => following.printed.stderr).toBe(waiting(card))
    await line.muster('archive', card)
    expect((await following.ended).code).toBe(3)
    const refusal = `muster: Card ${card} has not run yet, so it has no log.\n`
    expect(following.printed.stderr).toBe(`${waiting(card)}${refusal}`)
    expect(await line.muster('log', card, '--follow')).toMatchObject({ code: 3, stderr: refusal })
  })

  test('`log --follow` does not wait if --run is given or the card is completed', async () => {
    expect((await line.muster('log', card, '--follow', '--run', '1')).code).toBe(3)
    await line.muster('complete', card, '--summary', 'by hand')
    expect((await line.muster('log', card, '--follow')).code).toBe(3)
  })
})
