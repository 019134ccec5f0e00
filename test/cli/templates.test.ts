import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AppliedTemplate, TemplateView } from '../../src/operations/templates/views.ts'
import { makeCliHome } from '../helpers/in-process.ts'

const json = <T>(text: string): T => JSON.parse(text) as T

const RELEASE = `description: Release a version
variables:
  version: { description: the version }
  packages: { default: [core, web] }
cards:
  - id: test
    each: packages
    title: Test {{item}} of {{version}}
    assignee: shell
    body: npm test
  - id: publish
    title: Publish {{version}}
    parents: [test]
    checks: ["npm view x@{{version}}"]
`

/** Makes a data folder with a template. */
async function withTemplate(text = RELEASE): Promise<ReturnType<typeof makeCliHome>> {
  const at = makeCliHome()
  await at.muster('init')
  mkdirSync(join(at.home, 'templates'))
  writeFileSync(join(at.home, 'templates', 'release.yaml'), text)
  return at
}

test('a template is listed, shown, tried and applied', async () => {
  const { muster } = await withTemplate()
  expect(json<TemplateView[]>((await muster('templates', '--json')).stdout)).toMatchObject([
    { name: 'release', from: 'home', isApproved: true, cards: 2, problems: [] },
  ])
  expect((await muster('templates', 'show', 'release')).stdout).toContain('--set version=…  required: the version')
  const tried = await muster('apply', 'release', '--set', 'version=1.2', '--dry-run')
  expect(tried.stdout).toBe(
    'test/core  Test core of 1.2  @shell\ntest/web  Test web of 1.2  @shell\npublish  Publish 1.2  after test/core, test/web\n',
  )
  expect((await muster('list', '--json')).stdout).toBe('[]\n')
  const args = [
    'apply',
    'release',
    '--set',
    'version=1.2',
    '--set',
    'packages=a,b,c',
    '--idempotency-key',
    'r-1.2',
    '--json',
  ]
  const applied = json<AppliedTemplate>((await muster(...args)).stdout)
  expect(applied.cards.map(({ name, status }) => [name, status])).toEqual([
    ['test/a', 'ready'],
    ['test/b', 'ready'],
    ['test/c', 'ready'],
    ['publish', 'todo'],
  ])
  const shown = json<{ parents: string[]; checks: string[] }>(
    (await muster('show', applied.cards[3]?.id ?? '', '--json')).stdout,
  )
  expect(shown).toMatchObject({ checks: ['npm view x@1.2'], commandsApproved: true })
  expect(shown.parents.toSorted()).toEqual(applied.cards.slice(0, 3).map(({ id }) => id))
  expect(json<AppliedTemplate>((await muster(...args)).stdout)).toMatchObject({
    created: false,
    cards: [{ id: applied.cards[0]?.id }],
  })
  expect(json<unknown[]>((await muster('list', '--json')).stdout)).toHaveLength(4)
})

test('mistakes in a template are reported with their position, and nothing is created', async () => {
  const { muster, home } = await withTemplate(RELEASE.replace('title: Publish', 'titel: Publish'))
  const broken = await muster('apply', 'release', '--set', 'version=1')
  expect(broken).toMatchObject({ code: 2 })
  expect(broken.stderr).toContain('release.yaml:12:5: unknown key titel. Did you mean title?')
  writeFileSync(join(home, 'templates', 'release.yaml'), RELEASE)
  expect((await muster('apply', 'release')).stderr).toContain(
    'The template needs version (the version). Add: --set version=…',
  )
  expect((await muster('apply', 'relese', '--set', 'version=1')).stderr).toContain('Did you mean release?')
  expect((await muster('apply', 'release', '--set', 'version')).stderr).toContain(
    'version has no value: write version=…',
  )
  expect((await muster('list', '--json')).stdout).toBe('[]\n')
})

test('a template of a repository needs an approval of its content', async () => {
  const at = makeCliHome()
  await at.muster('init')
  const repository = join(at.around, 'project')
  const file = join(repository, '.muster', 'templates', 'chores.yaml')
  mkdirSync(join(repository, '.muster', 'templates'), { recursive: true })
  mkdirSync(join(repository, '.git'))
  writeFileSync(file, 'cards:\n  - id: a\n    title: Sweep\n    checks: [make]\n')
  await at.muster('boards', 'set', 'default', `defaultDirectory=${repository}`)
  // This test calls the operations of a server, because the command would use the folder of this test.
  const listed = await at.muster('templates', 'approve', repository)
  expect(listed.stdout).toContain('chores  (not approved)')
  expect(listed.stderr).toContain('To approve the templates shown here, add --yes.')
  expect((await at.muster('templates', 'approve', repository, '--yes')).stderr).toContain('Approved: chores.')
  expect((await at.muster('templates', 'approve', repository)).stdout).toContain('chores  (approved)')
  writeFileSync(file, 'cards:\n  - id: a\n    title: Sweep more\n')
  expect((await at.muster('templates', 'approve', repository)).stdout).toContain('chores  (not approved)')
  expect(await at.muster('templates', 'approve', at.around)).toMatchObject({ code: 2 })
})
