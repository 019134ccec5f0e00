/** A server with the board of the screenshots, in a temporary folder. The agents are stand-ins (agent.mjs). */
import { execFile, execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startStandInModel } from './model.ts'
import { seedBoard } from './seed.ts'
import type { Seeded } from './seed.ts'

const ROOT = join(import.meta.dirname, '../..')
const BIN = join(ROOT, 'dist/bin.js')
/** The build whose clock can be set, for cards with an age. */
const CLOCKED_BIN = join(ROOT, 'dist-test/bin.js')
const LINK = /^http:\/\/127\.0\.0\.1:\d+\/sign-in#[\w.-]+$/m
const PATIENCE_MS = 60_000

export interface Demo {
  readonly seeded: Seeded
  /** A new one-time link. */
  readonly link: () => Promise<string>
  close(): Promise<void>
}

const run = promisify(execFile)

export async function openDemo(): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-demo-'))
  const world = join(folder, 'world.json')
  const env = environmentIn(folder)
  const setAge = (ms: number): void => writeFileSync(world, JSON.stringify({ clockOffsetMs: -ms }))
  const call = async (bin: string, argv: readonly string[]): Promise<string> =>
    (await run(process.execPath, [bin, ...argv], { env: { ...env, MUSTER_TEST_WORLD: world } })).stdout
  const muster = async (...argv: readonly string[]): Promise<unknown> =>
    JSON.parse((await call(CLOCKED_BIN, [...argv, '--json'])) || 'null') as unknown
  const repository = makeRepository(folder, env)
  setAge(7 * 3_600_000)
  await muster('init')
  writeAgents(join(folder, 'home/agents'))
  const model = await startStandInModel()
  writeFileSync(join(folder, 'home/config.yaml'), `models:\n  planner: { url: "${model.url}", model: qwen3 }\n`)
  await muster('boards', 'create', 'empty')
  const seeding = await startUp(CLOCKED_BIN, { ...env, MUSTER_TEST_WORLD: world })
  const seeded = await seedBoard({ muster, setAge, repository, settle: () => untilSettled(muster) })
  await endUp(seeding)
  // The pictures are made with the program that people use. Runs continue without the first server.
  const serving = await startUp(BIN, env)
  return {
    seeded,
    link: async () => (LINK.exec(await call(BIN, ['open', '--no-open'])) ?? [''])[0],
    close: async () => {
      const { columns } = (await muster('board')) as Board
      for (const { id } of columns.flatMap(({ cards }) => cards.filter(({ run: open }) => open !== null)))
        await muster('stop', id)
      await endUp(serving)
      await model.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

function environmentIn(folder: string): NodeJS.ProcessEnv {
  const bin = join(folder, 'bin')
  for (const made of [bin, join(folder, 'user')]) mkdirSync(made)
  for (const name of ['claude', 'codex']) symlinkSync(join(import.meta.dirname, 'agent.mjs'), join(bin, name))
  symlinkSync(join(ROOT, 'muster'), join(bin, 'muster'))
  symlinkSync(process.execPath, join(bin, 'node'))
  return {
    PATH: [bin, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    HOME: join(folder, 'user'),
    MUSTER_HOME: join(folder, 'home'),
    MUSTER_USER: 'ada',
    MUSTER_MACHINE_CAP: '6',
    LANG: 'C.UTF-8',
  }
}

function writeAgents(folder: string): void {
  const write = (name: string, front: string, text: string): void =>
    writeFileSync(join(folder, `${name}.md`), `---\n${front}\n---\n\n${text}\n`)
  write('writer', 'description: Writes for customers, in plain words\nharness: claude', 'Write short sentences.')
  write(
    'researcher',
    'description: Reads and compares, and writes a report\nharness: claude\npermissions: edit\nmaxConcurrent: 1',
    'Name your sources.',
  )
  write('tester', 'description: Tries what others built\nharness: codex\nmaxConcurrent: 2', 'Find the case that fails.')
}

function makeRepository(folder: string, env: NodeJS.ProcessEnv): string {
  const path = join(folder, 'shop')
  const git = (...argv: readonly string[]): void =>
    void execFileSync('git', ['-C', path, ...argv], { env, stdio: 'pipe' })
  mkdirSync(join(path, 'src/webhooks'), { recursive: true })
  writeFileSync(
    join(path, 'src/webhooks/send.ts'),
    'export async function send(webhook) {\n  return fetch(webhook.url)\n}\n',
  )
  writeFileSync(
    join(path, 'src/webhooks/deliver.ts'),
    "import { send } from './send.ts'\n\n/** Delivers a webhook once. */\nexport async function deliver(webhook) {\n  const answer = await send(webhook)\n  if (!answer.ok) throw new Error('the receiver failed')\n  return { delivered: true }\n}\n",
  )
  execFileSync('git', ['init', '--quiet', '--initial-branch', 'main', path], { env })
  git('add', '.')
  git('-c', 'user.name=ada', '-c', 'user.email=ada@example.org', 'commit', '--quiet', '-m', 'The shop')
  return path
}

interface Up {
  readonly child: ChildProcess
}

async function startUp(bin: string, env: NodeJS.ProcessEnv): Promise<Up> {
  const child = spawn(process.execPath, [bin, 'up', '--no-open', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const piece of child.stdout ?? []) {
    output += String(piece)
    if (LINK.test(output)) break
  }
  if (!LINK.test(output)) throw new Error(`muster up ended: ${output}`)
  child.stdout?.resume()
  return { child }
}

async function endUp({ child }: Up): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

interface Board {
  readonly columns: readonly {
    readonly status: string
    readonly cards: readonly {
      readonly id: string
      readonly title: string
      readonly reason: { readonly code: string } | null
      readonly run: { readonly lastOutput: string | null } | null
    }[]
  }[]
}

/** The cards whose agent never ends. */
const LASTING = /Split the checkout|Fix flaky|Summarise 40|Build the container/

async function untilSettled(muster: (...argv: readonly string[]) => Promise<unknown>): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const { columns } = (await muster('board')) as Board
    const moving = columns.flatMap(({ status, cards }) =>
      cards.filter(({ title, run: open, reason }) => {
        if (open !== null) return !LASTING.test(title) || open.lastOutput === null
        return status === 'ready' && (reason === null || reason.code === 'next_pass' || reason.code === 'retry_wait')
      }),
    )
    if (moving.length === 0) return
    if (Date.now() > until) throw new Error(`these cards do not settle: ${moving.map(({ title }) => title).join(', ')}`)
    await sleep(300)
  }
}
