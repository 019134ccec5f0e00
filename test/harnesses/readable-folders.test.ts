// Tests the rules that each CLI gets for folders that it may only read. test/real-clis proves the same with the real
// CLIs.
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Job } from '../../src/harnesses/harness.ts'
import { adapter as acp } from '../../src/harnesses/acp/adapter.ts'
import { adapter as claude } from '../../src/harnesses/claude.ts'
import { adapter as gemini } from '../../src/harnesses/gemini/adapter.ts'
import { adapter as opencode } from '../../src/harnesses/opencode/adapter.ts'
import { foldersHandedOver, readableFolders } from '../../src/harnesses/readable-folders.ts'
import { jobFor, makeFolder } from './job.ts'

const PARENT = '/home/ada/.muster/boards/main/workspaces/t_parent'

const jobWith = (cli: string, permissions: Job['agent']['permissions'], given: Partial<Job> = {}): Job => ({
  ...jobFor(cli, { permissions }, { readable: [PARENT], workspace: '/work/space' }),
  ...given,
})

describe('the folders handed over to a card', () => {
  const home = '/home/ada/.muster'
  const given = {
    home,
    forAgent: `${home}/runs/r_a/agent`,
    attachments: `${home}/boards/main/attachments/t_own`,
    snapshotFolders: [`${home}/boards/main/snapshots/t_own`, `${home}/boards/main/snapshots/t_parent`],
    parents: [{ workspace: PARENT, artifacts: [`${home}/boards/main/attachments/t_parent/report.md`] }],
  }

  test('the readable folders include run, attachments, parents and earlier workspaces once', () => {
    expect(foldersHandedOver(given)).toEqual([
      `${home}/runs/r_a/agent`,
      `${home}/boards/main/attachments/t_own`,
      PARENT,
      `${home}/boards/main/attachments/t_parent`,
      `${home}/boards/main/snapshots/t_own`,
      `${home}/boards/main/snapshots/t_parent`,
    ])
  })

  test('the readable folders leave out a workspace that contains the data folder', () => {
    const parents = ['/home/ada', '/', home, '/home/ada/.musterings'].map((workspace) => ({ workspace, artifacts: [] }))
    expect(foldersHandedOver({ ...given, forAgent: null, snapshotFolders: [], parents })).toEqual([
      given.attachments,
      '/home/ada/.musterings',
    ])
  })

  test('the readable folders of 10,000 parents still fit into arguments and variables', () => {
    const parents = Array.from({ length: 10_000 }, (_, at) => ({ workspace: `${PARENT}${at}`, artifacts: [] }))
    const folders = foldersHandedOver({ ...given, parents })
    expect(folders.length).toBeGreaterThan(100)
    const { env, argv } = opencode.launch(jobWith('opencode', 'edit', { readable: folders }))
    expect(Buffer.byteLength(env?.['OPENCODE_CONFIG_CONTENT'] ?? '')).toBeLessThan(120 * 1024)
    expect(Buffer.byteLength(argv.join(' '))).toBeLessThan(120 * 1024)
  })
})

test('readable folders leave out the workspace and include the targets of links', () => {
  const root = makeFolder()
  for (const name of ['space/sub', 'real']) mkdirSync(join(root, name), { recursive: true })
  symlinkSync(join(root, 'real'), join(root, 'link'))
  const readable = [join(root, 'space'), join(root, 'space', 'sub'), join(root, 'link')]
  expect(readableFolders(jobWith('claude', 'edit', { readable, workspace: join(root, 'space') }))).toEqual([
    join(root, 'link'),
    join(root, 'real'),
  ])
})

test.each(['read', 'ask', 'edit'] as const)('Claude Code with %s may read the folders but not edit them', (word) => {
  const { argv } = claude.launch(jobWith('claude', word))
  expect(argv).toContain(`Read(/${PARENT}/**)`)
  expect(argv.join(' ')).not.toMatch(/--add-dir|Edit\(|Write\(/)
})

test('special characters of a path become wildcards in Claude Code rules', () => {
  const { argv } = claude.launch(jobWith('claude', 'edit', { readable: ['/a (b), c/[d]*'] }))
  expect(argv).toContain('Read(//a ?b?? c/?d??/**)')
})

describe('OpenCode', () => {
  interface Config {
    readonly permission: Readonly<Record<'edit' | 'external_directory', Readonly<Record<string, string>>>>
  }

  const permissionOf = (given: Partial<Job>, word: 'read' | 'edit' = 'edit'): Config['permission'] => {
    const { env } = opencode.launch(jobWith('opencode', word, given))
    return (JSON.parse(env?.['OPENCODE_CONFIG_CONTENT'] ?? '') as Config).permission
  }

  /** Decides as OpenCode does: the last matching rule applies. */
  const judged = (rules: Readonly<Record<string, string>>, path: string): string | undefined =>
    Object.entries(rules).findLast(([pattern]) =>
      new RegExp(
        `^${pattern
          .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
          .replaceAll('*', '.*')
          .replaceAll('?', '.')}$`,
        's',
      ).test(path),
    )?.[1]

  test('outside a repository, OpenCode may read the folders but edit only its workspace', () => {
    const { edit, external_directory: entered } = permissionOf({})
    expect(judged(entered, `${PARENT}/sub/*`)).toBe('allow')
    expect(judged(entered, '/home/ada/.muster/runs/*')).toBe('deny')
    expect(judged(edit, 'work/space/a.txt')).toBe('allow')
    expect(judged(edit, `${PARENT.slice(1)}/a.txt`)).toBe('deny')
  })

  test('inside a repository, OpenCode may edit only its workspace', () => {
    const repo = makeFolder()
    mkdirSync(join(repo, '.git'))
    const sub = join(repo, 'sub')
    mkdirSync(join(sub, 'deep'), { recursive: true })
    const { edit: ofRepo } = permissionOf({ workspace: repo })
    expect(judged(ofRepo, 'a.txt')).toBe('allow')
    expect(judged(ofRepo, '../../home/ada/.muster/boards/main/workspaces/t_parent/a.txt')).toBe('deny')
    const { edit: ofSub } = permissionOf({ workspace: join(sub, 'deep'), readable: [sub] })
    expect(judged(ofSub, 'sub/deep/a.txt')).toBe('allow')
    expect(judged(ofSub, 'sub/a.txt')).toBe('deny')
  })

  test('OpenCode may edit nothing with the permission `read`', () => {
    expect(permissionOf({}, 'read').edit).toBe('deny')
    expect(judged(permissionOf({}, 'read').external_directory, `${PARENT}/*`)).toBe('allow')
  })
})

describe('Gemini CLI', () => {
  const denied = (tool: string, path: string): boolean => {
    const { files } = gemini.launch(jobWith('gemini', 'edit'))
    const policy = files.find((file) => file.path.endsWith('muster.toml'))?.content ?? ''
    const rules = policy.split('[[rule]]').filter((rule) => rule.includes(`"${tool}"`) && rule.includes('"deny"'))
    const patterns = rules.map((rule) => JSON.parse(/^argsPattern = (.*)$/m.exec(rule)?.[1] ?? '""') as string)
    return patterns.some((pattern) => new RegExp(pattern).test(JSON.stringify({ content: 'x', file_path: path })))
  }

  test.each([
    `${PARENT}/a.txt`,
    `/${PARENT}/a.txt`,
    `/.${PARENT}/a.txt`,
    `/work/space/..${PARENT}/a.txt`,
    `/work/space/../../${PARENT}/a.txt`,
    `../..${PARENT}/a.txt`,
    '/work/space\u0000/../x',
    '/work/spaces/a.txt',
  ])('the policies deny writing a file at %s', (path) => {
    expect(denied('write_file', path)).toBe(true)
    expect(denied('replace', path)).toBe(true)
  })

  test('Gemini CLI may write files in its workspace, but edits them only by absolute path', () => {
    for (const path of ['/work/space/a.txt', '/work/space/.a/b..c']) {
      expect(denied('write_file', path)).toBe(false)
      expect(denied('replace', path)).toBe(false)
    }
    expect(denied('write_file', 'src/a.txt')).toBe(false)
    // Gemini CLI would search every readable folder for this relative path.
    expect(denied('replace', 'a.txt')).toBe(true)
  })

  test('Gemini CLI may read the folders, because its settings name them', () => {
    const { files } = gemini.launch(jobWith('gemini', 'read'))
    const settings = files.find(({ path }) => path.endsWith('settings.json'))?.content ?? ''
    expect(JSON.parse(settings)).toMatchObject({ context: { includeDirectories: [PARENT] } })
  })

  test('Gemini CLI asks its ACP client before every edit unless it has full permissions', () => {
    const args = (word: 'edit' | 'full'): string => {
      const job = jobWith('gemini', word)
      const { files } = acp.launch({ ...job, agent: { ...job.agent, args: ['gemini', '--acp'] } })
      return files.find(({ path }) => path.endsWith('acp.json'))?.content ?? ''
    }
    expect(JSON.parse(args('edit'))).toMatchObject({
      args: ['--acp', '--include-directories', PARENT, '--approval-mode', 'default'],
    })
    expect(args('full')).not.toContain('approval-mode')
  })
})
