import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requestedSkills } from '../../../src/agents/skills/requested-skills.ts'
import { briefingSkills, findRunSkills } from '../../../src/agents/skills/run-skills.ts'
import { makeRepository, testFolder } from '../../helpers/repository.ts'
import { writeSkill } from '../../helpers/skills.ts'

test('the skills of a card replace those of its agent, even if the list is empty', () => {
  const ofAgent = ['own']
  expect(requestedSkills({ task: { skills: null }, role: 'work', ofAgent })).toEqual({
    required: ['own'],
    optional: [],
  })
  expect(requestedSkills({ task: { skills: ['a'] }, role: 'work', ofAgent })).toEqual({ required: ['a'], optional: [] })
  expect(requestedSkills({ task: { skills: [] }, role: 'work', ofAgent })).toEqual({ required: [], optional: [] })
})

test('a review uses the skills of its reviewer and board', () => {
  const requested = requestedSkills({
    task: { skills: ['a'] },
    role: 'review',
    ofAgent: ['own'],
    ofReviews: ['own', 'read'],
  })
  expect(requested).toEqual({ required: ['own'], optional: ['read'] })
})

test('a found skill records its location and whether the CLI loads it by name', async () => {
  const home = testFolder()
  const folder = join(home, 'skills')
  const { path: repo } = makeRepository()
  const workspace = makeRepository().path
  for (const name of ['plain', 'doubled']) writeSkill(folder, name)
  writeSkill(folder, 'bare', 'Only words.\n')
  writeSkill(folder, 'misnamed', '---\nname: other\ndescription: x\n---\nx\n')
  writeSkill(join(workspace, '.agents', 'skills'), 'doubled')
  const shared = writeSkill(join(workspace, '.agents', 'skills'), 'shared')
  mkdirSync(join(workspace, '.claude', 'skills'), { recursive: true })
  symlinkSync(shared, join(workspace, '.claude', 'skills', 'shared'))
  writeSkill(join(workspace, '.claude', 'skills'), 'claude')
  writeSkill(join(repo, '.claude', 'skills'), 'uncommitted')
  const names = ['plain', 'doubled', 'bare', 'misnamed', 'shared', 'claude', 'uncommitted']
  const { skills, missing, absent } = await findRunSkills({
    home,
    requested: { required: [...names, 'lost'], optional: ['gone'] },
    place: { kind: 'worktree', path: null, repo },
    workspace,
  })
  expect(skills.map(({ name, at, isPlain }) => [name, at, isPlain])).toEqual([
    ['plain', 'home', true],
    ['doubled', 'home', false],
    ['bare', 'home', false],
    ['misnamed', 'home', false],
    ['shared', '.agents', true],
    ['claude', '.claude', true],
    ['uncommitted', 'elsewhere', true],
  ])
  expect(missing).toEqual({ unknown: ['lost'], broken: [] })
  expect(absent).toEqual(['gone'])
})

test('a skill behind a symbolic link has its real path', async () => {
  const home = testFolder()
  const real = writeSkill(testFolder(), 'reading')
  mkdirSync(join(home, 'skills'))
  symlinkSync(real, join(home, 'skills', 'linked'))
  const place = { kind: 'scratch', path: null, repo: null } as const
  const found = await findRunSkills({ home, requested: { required: ['linked'], optional: [] }, place, workspace: null })
  expect(found.skills).toMatchObject([{ name: 'linked', folder: real, at: 'home', isPlain: false }])
})

test('the briefing names loadable skills and contains the text of others', async () => {
  const home = testFolder()
  const plain = writeSkill(join(home, 'skills'), 'plain')
  const bare = writeSkill(join(home, 'skills'), 'bare', 'Only words.\n')
  const requested = { required: ['plain', 'bare'], optional: [] }
  const place = { kind: 'scratch', path: null, repo: null } as const
  const found = await findRunSkills({ home, requested, place, workspace: null })
  const inlined = { name: 'bare', folder: bare, native: null, text: 'Only words.\n' }
  expect(briefingSkills(found, ({ name }) => `mine:${name}`)).toEqual([
    { name: 'plain', folder: plain, native: 'mine:plain', text: null },
    inlined,
  ])
  expect(briefingSkills({ ...found, absent: ['gone'] }, undefined)).toEqual([
    { name: 'plain', folder: plain, native: null, text: 'How to plain.\n' },
    inlined,
    { name: 'gone', folder: null, native: null, text: null },
  ])
})
