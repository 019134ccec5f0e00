import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Store } from '../../src/storage/store.ts'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import type { ConnectedRun } from '../../src/supervisor/supervised-run.ts'
import { CannotStart, prepareAgent } from '../../src/supervisor/start-agent.ts'
import { card, runOf, sampleRun, sampleTask } from '../helpers/sample.ts'

/** A store that has no rows about the card except the card itself. */
const emptyStore = {
  now: async () => 1_800_000_000_000,
  attachments: async () => [],
  runs: async () => [],
  handOffs: async () => [],
  recentWork: async () => [],
  comments: async () => [],
  answers: async () => ({ answers: [], earlier: 0 }),
} as unknown as Store

interface PrepareOptions {
  readonly harness?: string
  readonly commandsApproved?: boolean
  readonly store?: Store
  readonly path?: string
  readonly env?: Readonly<Record<string, string>>
  readonly passEnvironment?: readonly string[]
}

function begin(args: readonly string[], options: PrepareOptions = {}) {
  const {
    harness = 'command',
    commandsApproved = true,
    store = emptyStore,
    path = '/usr/bin:/bin',
    env = {},
    passEnvironment = ['API_KEY'],
  } = options
  const home = mkdtempSync(join(tmpdir(), 'muster-prepare-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const directory = runDirectoryAt(join(home, 'run'))
  mkdirSync(directory.path)
  const owned = {
    store,
    directory,
    run: sampleRun(),
    socket: { path: '/s', nonce: 'secret', lateFolder: '/late' },
    fence: { runId: runOf('a'), tokenHash: 'f00d' },
    env: { PATH: path, API_KEY: 'k', OTHER: 'o', ...env },
    task: { ...sampleTask({ body: 'paint it', commandsApproved }), parents: [], children: [] },
    ticket: {
      home,
      board: 'main',
      task: card('a'),
      agent: 'maker',
      harness,
      args,
      permissions: 'edit',
      instruction: 'Be kind.',
      tools: [],
      setup: [],
      skills: [],
      completesOnExit: true,
      passEnvironment,
    },
  } as unknown as ConnectedRun
  return { home, directory, prepare: () => prepareAgent(owned, new AbortController().signal) }
}

test('a program that is missing after the claim counts as the agent’s failure', async () => {
  const { prepare } = begin(['/nowhere/tool'])
  const fault = await prepare().catch((error: unknown) => error)
  expect(fault).toBeInstanceOf(CannotStart)
  expect((fault as Error).message).toContain('/nowhere/tool')
})

test('an unapproved body is not run as a script, and no failure is counted', async () => {
  const { directory, prepare } = begin([], { harness: 'shell', commandsApproved: false })
  const fault = await prepare().catch((error: unknown) => error)
  expect(fault).not.toBeInstanceOf(CannotStart)
  expect(fault).toMatchObject({ code: 'gate_closed' })
  expect(existsSync(directory.body)).toBe(false)
  await begin([], { harness: 'shell' }).prepare()
})

test('a `command` agent gets its briefing as input, and the nonce only in its tools file', async () => {
  const { directory, prepare } = begin(['sh', '-c', 'true', '{mcp}'])
  const {
    request: { args, stdin, env },
  } = await prepare()
  expect(args.slice(-4)).toEqual([expect.stringMatching(/^\/.*\/sh$/), '-c', 'true', directory.mcp])
  expect(stdin).toBe(directory.briefing)
  expect(readFileSync(directory.briefing, 'utf8')).toMatch(/^Be kind\.\n\n# Card [\s\S]*paint it/)
  expect(statSync(directory.mcp).mode & 0o077).toBe(0)
  expect(readFileSync(directory.mcp, 'utf8')).toContain('"MUSTER_NONCE": "secret"')
  expect(env).toMatchObject({ API_KEY: 'k', MUSTER_AGENT: 'maker', MUSTER_SOCKET: '/s', MUSTER_TURN: '1' })
  expect(Object.keys(env)).not.toContain('OTHER')
  expect(JSON.stringify([args, env])).not.toContain('secret')
  expect(existsSync(directory.bodyText)).toBe(false)
})

test('an agent may read the workspace and artifacts of its parents, and the attachments of its card', async () => {
  const programs = mkdtempSync(join(tmpdir(), 'muster-programs-'))
  onTestFinished(() => rmSync(programs, { recursive: true }))
  writeFileSync(join(programs, 'claude'), '#!/bin/sh\n', { mode: 0o755 })
  const workspace = { ...sampleTask().workspace, path: '/left/by/parent', state: 'live' as const }
  const { home, prepare } = begin([], {
    harness: 'claude',
    path: programs,
    store: {
      ...emptyStore,
      attachments: async () => [
        { filename: 'brief.txt', contentType: null, size: 1, storedPath: `${card('a')}/brief.txt` },
      ],
      handOffs: async () => [
        {
          task: { ...sampleTask({ workspace }), id: card('b') },
          summary: null,
          storedPaths: [`${card('b')}/report.md`],
        },
      ],
    } as unknown as Store,
  })
  const attachments = join(home, 'boards', 'main', 'attachments')
  for (const file of [`${card('a')}/brief.txt`, `${card('b')}/report.md`]) {
    mkdirSync(join(attachments, dirname(file)), { recursive: true })
    writeFileSync(join(attachments, file), '')
  }
  const { args } = (await prepare()).request
  expect(args).toContain('Read(//left/by/parent/**)')
  expect(args).toContain(`Read(/${join(attachments, card('a'))}/**)`)
  expect(args).toContain(`Read(/${join(attachments, card('b'))}/**)`)
  // The agent must not read the run directory itself, because the run directory contains the token.
  expect(args.join(' ')).not.toContain(`Read(/${join(home, 'run')}/**)`)
})

test('an agent may read attachments that are added later, and snapshots of earlier workspaces', async () => {
  const programs = mkdtempSync(join(tmpdir(), 'muster-programs-'))
  onTestFinished(() => rmSync(programs, { recursive: true }))
  writeFileSync(join(programs, 'claude'), '#!/bin/sh\n', { mode: 0o755 })
  const parent = sampleTask({ workspace: { ...sampleTask().workspace, state: 'gone' } })
  const { home, prepare } = begin([], {
    harness: 'claude',
    path: programs,
    store: {
      ...emptyStore,
      handOffs: async () => [{ task: { ...parent, id: card('b') }, summary: null, storedPaths: [] }],
    } as unknown as Store,
  })
  const board = join(home, 'boards', 'main')
  for (const id of [sampleTask().id, card('b')]) {
    const folder = join(board, 'snapshots', id)
    mkdirSync(folder, { recursive: true })
    const snapshot = '20261130T090000000Z-beef'
    const path = join(folder, `${snapshot}.tar.gz`)
    const described = { id: snapshot, kind: 'archive', takenAt: 1, files: 1, bytes: 1, path }
    writeFileSync(path, '')
    writeFileSync(
      join(folder, `${snapshot}.json`),
      JSON.stringify({ ...described, repo: null, ref: null, branch: null }),
    )
  }
  const { args } = (await prepare()).request
  expect(args).toContain(`Read(/${join(board, 'attachments', card('a'))}/**)`)
  expect(existsSync(join(board, 'attachments', card('a')))).toBe(true)
  for (const id of [sampleTask().id, card('b')]) expect(args).toContain(`Read(/${join(board, 'snapshots', id)}/**)`)
})

test('a gateway key is withheld from a CLI that would send it to another host', async () => {
  const programs = mkdtempSync(join(tmpdir(), 'muster-programs-'))
  onTestFinished(() => rmSync(programs, { recursive: true }))
  writeFileSync(join(programs, 'opencode'), '#!/bin/sh\n', { mode: 0o755 })
  const { directory, prepare } = begin([], {
    harness: 'opencode',
    path: programs,
    env: { GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: 'https://gate', OPENAI_API_KEY: 'o', HTTPS_PROXY: 'p' },
    passEnvironment: ['GEMINI_API_KEY', 'OPENAI_API_KEY'],
  })
  const { env } = (await prepare()).request
  expect(env).toMatchObject({ OPENAI_API_KEY: 'o', HTTPS_PROXY: 'p', GOOGLE_GEMINI_BASE_URL: 'https://gate' })
  expect(env).not.toHaveProperty('GEMINI_API_KEY')
  expect(readFileSync(directory.log, 'utf8')).toBe(
    '# muster: GEMINI_API_KEY is withheld from maker: it belongs to the gateway in GOOGLE_GEMINI_BASE_URL, and this CLI ignores GOOGLE_GEMINI_BASE_URL.\n',
  )
})
