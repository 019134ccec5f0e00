import { join } from 'node:path'
import { expect, test } from 'vitest'
import { adapter as command } from '../../src/harnesses/command.ts'
import { harnessOf } from '../../src/harnesses/index.ts'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import { runOf, sampleTask } from '../helpers/sample.ts'
import { jobFor } from './job.ts'

const directory = runDirectoryAt('/runs/a')

const jobOf = (args: readonly string[], body = 'a; b "c" {title} $HOME') => ({
  ...jobFor('tool', { name: 'maker', args }, { task: sampleTask({ title: 'Make it', body }) }),
  program: args[0] ?? null,
})

const launch = (args: readonly string[], body?: string) => command.launch(jobOf(args, body))

test('placeholders are filled once, and each argument stays one argument', () => {
  const { id } = sampleTask()
  const args = ['tool', '{body}', '--in={workspace}', '{task}/{run}', '{title}', '{{title}}', '{"a": {"b": 1}}']
  const job = jobOf(args)
  expect(command.launch(job).argv).toEqual([
    join(job.path ?? '', 'tool'),
    'a; b "c" {title} $HOME',
    '--in=/work/space',
    `${id}/${runOf('a')}`,
    'Make it',
    '{title}',
    '{"a": {"b": 1}}',
  ])
})

test('the briefing comes on standard input, or as a file if an argument has its placeholder', () => {
  const file = { path: directory.briefing, content: 'what to do' }
  expect(launch(['tool'])).toMatchObject({ stdin: directory.briefing, files: [file] })
  const asked = launch(['tool', '{briefingFile}'])
  expect(asked.stdin).toBeNull()
  expect(asked.argv[1]).toBe(directory.briefing)
  expect(asked.files).toMatchObject([file])
})

test('the nonce is only in the tools file, which an argument must request', () => {
  const { argv, files } = launch(['tool', '--tools', '{mcp}', '{bodyFile}'], 'do it')
  expect(argv.slice(1)).toEqual(['--tools', directory.mcp, directory.bodyText])
  expect(files.find((file) => file.path === directory.bodyText)?.content).toBe('do it')
  const entry = files.find((file) => file.path === directory.mcp)
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
          MUSTER_LATE_FOLDER: '/late',
          MUSTER_NONCE: 'secret',
        },
      },
    },
  })
  expect(JSON.stringify(launch(['tool']))).not.toContain('secret')
  expect(harnessOf({ harness: 'command' }).nonceInEnvironment).toBe(false)
})

test('a missing program prevents the start, with an error that names the program', () => {
  expect(() => command.launch({ ...jobOf(['tool']), path: '/nowhere' })).toThrow(
    'Agent maker needs tool, which is not installed',
  )
  expect(() => launch(['/nowhere/tool'])).toThrow('/nowhere/tool')
})
