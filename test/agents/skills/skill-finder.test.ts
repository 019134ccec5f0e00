import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SkillFinder } from '../../../src/agents/skills/skill-finder.ts'
import { makeRepository, testFolder } from '../../helpers/repository.ts'
import { skillText, writeSkill } from '../../helpers/skills.ts'

const inHome = (home: string): string => join(home, 'skills')

test('skills are found in the data folder and the repository, nearest first', async () => {
  const home = testFolder()
  const repository = makeRepository()
  const inner = join(repository.path, 'packages', 'web')
  const own = writeSkill(inHome(home), 'own')
  const far = writeSkill(join(repository.path, '.claude', 'skills'), 'style')
  const near = writeSkill(join(inner, '.agents', 'skills'), 'style')
  const claude = writeSkill(join(repository.path, '.claude', 'skills'), 'types')
  const finder = new SkillFinder(home)

  expect(await finder.find('own', [null])).toMatchObject({ folder: own, from: 'home', fault: null })
  expect(await finder.find('style', [inner])).toMatchObject({ folder: near, from: 'repository', fault: null })
  expect((await finder.allNamed('style', [inner])).map(({ folder }) => folder)).toEqual([near, far])
  expect(await finder.find('types', [inner])).toMatchObject({ folder: claude })
  expect(await finder.names([inner])).toEqual(['own', 'style', 'types'])
  // A card without a repository finds only the user's own skills.
  expect(await finder.names([null])).toEqual(['own'])
  expect(await finder.find('style', [null])).toBeNull()
})

test('a skill in the data folder comes before .agents, and .agents before .claude', async () => {
  const home = testFolder()
  const { path } = makeRepository()
  const own = writeSkill(inHome(home), 'style')
  writeSkill(join(path, '.agents', 'skills'), 'style')
  const shared = writeSkill(join(path, '.agents', 'skills'), 'types')
  writeSkill(join(path, '.claude', 'skills'), 'types')
  const finder = new SkillFinder(home)
  expect(await finder.find('style', [path])).toMatchObject({ folder: own })
  expect(await finder.find('types', [path])).toMatchObject({ folder: shared })
})

test('outside a repository only the folder itself is searched', async () => {
  const folder = testFolder()
  writeSkill(join(folder, '.agents', 'skills'), 'above')
  const inner = join(folder, 'inner')
  writeSkill(join(inner, '.agents', 'skills'), 'here')
  expect(await new SkillFinder(testFolder()).names([inner])).toEqual(['here'])
})

test.each(['../own', 'own/', '.', '..', '', '/etc', 'own/../own', '.own', 'a b', 'OWN', 'Own', `${'x'.repeat(65)}`])(
  '%j is not the name of a skill',
  async (name) => {
    const home = testFolder()
    writeSkill(inHome(home), 'own')
    mkdirSync(join(home, '.own'))
    expect(await new SkillFinder(home).find(name, [null])).toBeNull()
  },
)

test('links out of a repository are ignored, but links in the data folder are followed', async () => {
  const home = testFolder()
  const repository = makeRepository()
  const skillsFolder = join(repository.path, '.claude', 'skills')
  const outside = writeSkill(testFolder(), 'outside')
  mkdirSync(skillsFolder, { recursive: true })
  mkdirSync(inHome(home), { recursive: true })
  symlinkSync(outside, join(skillsFolder, 'escape'))
  symlinkSync(outside, join(inHome(home), 'linked'))
  mkdirSync(join(skillsFolder, 'file'))
  symlinkSync(join(outside, 'SKILL.md'), join(skillsFolder, 'file', 'SKILL.md'))
  const shared = writeSkill(join(repository.path, 'docs', 'skills'), 'shared')
  symlinkSync(shared, join(skillsFolder, 'shared'))
  const finder = new SkillFinder(home)
  const faultOf = async (name: string) => (await finder.find(name, [repository.path]))?.fault
  expect(await faultOf('escape')).toBe('a link of the skill leads out of its repository')
  expect(await faultOf('file')).toBe('a link of the skill leads out of its repository')
  expect(await faultOf('shared')).toBeNull()
  expect(await faultOf('linked')).toBeNull()
})

test('an unreadable skill is reported and hides other skills of its name', async () => {
  const home = testFolder()
  const { path } = makeRepository()
  const skillsFolder = inHome(home)
  writeSkill(skillsFolder, 'empty', '\n')
  writeSkill(skillsFolder, 'large', skillText('large', 'x'.repeat(300_000)))
  writeSkill(skillsFolder, 'binary', 'a\0b')
  mkdirSync(join(skillsFolder, 'none'))
  mkdirSync(join(skillsFolder, 'folder', 'SKILL.md'), { recursive: true })
  writeFileSync(join(skillsFolder, 'README.md'), 'not a skill')
  writeSkill(join(path, '.agents', 'skills'), 'empty')
  const finder = new SkillFinder(home)
  expect(
    Object.fromEntries((await finder.all([path])).map(({ name, from, fault }) => [`${from} ${name}`, fault])),
  ).toEqual({
    'home binary': 'its SKILL.md is not text in UTF-8',
    'home empty': 'its SKILL.md is empty',
    'repository empty': null,
    'home folder': 'its SKILL.md is not a file',
    'home large': 'its SKILL.md is larger than 256 KB',
    'home none': 'it has no SKILL.md',
  })
  expect(await finder.find('empty', [path])).toMatchObject({ from: 'home' })
})
