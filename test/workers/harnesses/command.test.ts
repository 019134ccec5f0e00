import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { commandHarness } from '../../../src/workers/harnesses/command.ts'
import { runDirectoryAt } from '../../../src/workers/run-directory.ts'
import { runOf, sampleTask } from '../../helpers/sample.ts'

function makeTool(): { path: string; tool: string } {
  const path = mkdtempSync(join(tmpdir(), 'muster-tool-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  const tool = join(path, 'tool')
  writeFileSync(tool, '#!/bin/sh\n', { mode: 0o755 })
  return { path, tool }
}

const directory = runDirectoryAt('/runs/a')

function launch(args: readonly string[], path: string, body = 'a; b "c" {title} $HOME') {
  return commandHarness.launch({
    agent: { name: 'maker', args, permissions: 'edit', model: null, provider: null, effort: null },
    task: sampleTask({ title: 'Make it', body }),
    run: runOf('a'),
    turn: 1,
    directory,
    workspace: '/work/space',
    briefing: 'what to do',
    channel: { path: '/runs/a/s', nonce: 'secret' },
    shim: ['/bin/node', '/lib/mcp.js'],
    acpClient: ['/bin/node', '/lib/acp.js'],
    sessionWaitMs: 60_000,
    role: 'worker',
    path,
    env: {},
  })
}

test('each argument stays one argument, and what is put into it is not looked at again', () => {
  const { path, tool } = makeTool()
  const { id } = sampleTask()
  const args = ['tool', '{body}', '--in={workspace}', '{task}/{run}', '{title}', '{{title}}', '{"a": {"b": 1}}']
  expect(launch(args, path).argv).toEqual([
    tool,
    'a; b "c" {title} $HOME',
    '--in=/work/space',
    `${id}/${runOf('a')}`,
    'Make it',
    '{title}',
    '{"a": {"b": 1}}',
  ])
})

test('the briefing comes on standard input, or as a file when an argument asks for it', () => {
  const { path } = makeTool()
  const file = { path: directory.briefing, content: 'what to do', mode: 0o600 }
  expect(launch(['tool'], path)).toMatchObject({ stdin: directory.briefing, files: [file] })
  const asked = launch(['tool', '{briefingFile}'], path)
  expect(asked.stdin).toBeNull()
  expect(asked.argv[1]).toBe(directory.briefing)
  expect(asked.files).toMatchObject([file])
})

test('the nonce stands in the file of the tools, only where it is asked for, and nowhere else', () => {
  const { path } = makeTool()
  const { argv, files } = launch(['tool', '--tools', '{mcp}', '{bodyFile}'], path, 'do it')
  expect(argv.slice(1)).toEqual(['--tools', directory.mcp, directory.bodyText])
  expect(files.find((file) => file.path === directory.bodyText)?.content).toBe('do it')
  const entry = files.find((file) => file.path === directory.mcp)
  expect(entry?.mode).toBe(0o600)
  const { id, board } = sampleTask()
  expect(JSON.parse(entry?.content ?? '')).toEqual({
    mcpServers: {
      muster: {
        command: '/bin/node',
        args: ['/lib/mcp.js', 'worker'],
        env: {
          MUSTER_TASK: id,
          MUSTER_RUN: runOf('a'),
          MUSTER_BOARD: board,
          MUSTER_AGENT: 'maker',
          MUSTER_SOCKET: '/runs/a/s',
          MUSTER_NONCE: 'secret',
        },
      },
    },
  })
  expect(JSON.stringify(launch(['tool'], path))).not.toContain('secret')
  expect(commandHarness.nonceInEnvironment).toBe(false)
})

test('a program that is gone is said, and nothing is started', () => {
  expect(() => launch(['tool'], '/nowhere')).toThrow('The program tool of agent maker is not there')
  expect(() => launch(['/nowhere/tool'], '/bin')).toThrow('/nowhere/tool')
})

test('a body too long for an argument is told before the claim, unless it goes by file', () => {
  const card = { ...sampleTask(), body: 'x'.repeat(100_000) }
  expect(commandHarness.faultIn(card, { name: 'maker', args: ['tool', '{body}'] })).toContain('{bodyFile}')
  expect(commandHarness.faultIn(card, { name: 'maker', args: ['tool', '{bodyFile}'] })).toBeNull()
  expect(commandHarness.faultIn({ ...card, body: null }, { name: 'maker', args: ['tool', '{body}'] })).toBeNull()
})
