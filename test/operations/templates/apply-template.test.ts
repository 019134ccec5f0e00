import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Actor } from '../../../src/core/actor.ts'
import { loadOptions } from '../../../src/config/load.ts'
import { applyTemplate } from '../../../src/operations/templates/apply-template.ts'
import { previewTemplate } from '../../../src/operations/templates/preview-template.ts'
import { approveTemplates } from '../../../src/operations/templates/approve-templates.ts'
import type { LocalContext } from '../../../src/operations/shared/operation.ts'
import { orchestrator, person } from '../../helpers/sample.ts'
import { openTestStore } from '../../helpers/stores.ts'
import { Desk } from '../../storage/desk.ts'

const TEMPLATE = `variables: { what: all }
cards:
  - id: a
    title: Sweep
    checks: ["make {{what}}"]
  - id: b
    title: Report
    parents: [a]
`

/** Makes a board whose default directory is a repository with one template. */
async function openRepository() {
  const around = mkdtempSync(join(tmpdir(), 'muster-templates-'))
  onTestFinished(() => rmSync(around, { recursive: true, force: true }))
  const repository = join(around, 'project')
  mkdirSync(join(repository, '.git'), { recursive: true })
  mkdirSync(join(repository, '.muster', 'templates'), { recursive: true })
  const file = join(repository, '.muster', 'templates', 'chores.yaml')
  writeFileSync(file, TEMPLATE)
  const desk = await Desk.open(await openTestStore('sqlite'), { defaultDirectory: repository })
  const options = await loadOptions({ MUSTER_HOME: join(around, 'home'), MUSTER_USER: 'ada' }, {})
  const contextOf = (actor: Actor) => ({ store: desk.store, board: desk.board, actor, options })
  const input = { template: 'chores', folder: null, set: {}, idempotencyKey: null }
  // The operation uses only the options of its context.
  const local = { options } as LocalContext
  return {
    desk,
    file,
    repository,
    contextOf,
    input,
    approve: () => approveTemplates.run(local, { folder: repository, yes: true }),
  }
}

test('a template of a repository is refused until its content is approved, and again after a change', async () => {
  const { desk, file, contextOf, input, approve } = await openRepository()
  const apply = () => applyTemplate.run(contextOf(person), input)
  await expect(apply()).rejects.toMatchObject({ code: 'not_allowed' })
  await approve()
  expect((await previewTemplate.run(contextOf(person), input)).cards.map(({ id }) => id)).toEqual([null, null])
  expect(await desk.store.tasks('main')).toEqual([])
  expect((await apply()).cards.map(({ name, status }) => [name, status])).toEqual([
    ['a', 'ready'],
    ['b', 'todo'],
  ])
  writeFileSync(file, TEMPLATE.replace('make', 'rm'))
  await expect(apply()).rejects.toMatchObject({ code: 'not_allowed' })
  expect(await desk.store.tasks('main')).toHaveLength(2)
})

test('the commands of a template need approval only if an agent sets its values', async () => {
  const { desk, contextOf, input, approve } = await openRepository()
  await approve()
  const approvedAfter = async (actor: Actor, set: Readonly<Record<string, string>>) => {
    const { cards } = await applyTemplate.run(contextOf(actor), { ...input, set })
    return cards[0]?.id == null ? null : (await desk.task(cards[0].id)).commandsApproved
  }
  expect(await approvedAfter(person, { what: 'x' })).toBe(true)
  expect(await approvedAfter(orchestrator, {})).toBe(true)
  expect(await approvedAfter(orchestrator, { what: '; rm -rf x' })).toBe(false)
})

test('a graph with one bad card creates none', async () => {
  const { desk, file, contextOf, input, approve } = await openRepository()
  writeFileSync(file, TEMPLATE.replace('title: Report', 'title: Report\n    branch: x'))
  await approve()
  await expect(applyTemplate.run(contextOf(person), input)).rejects.toMatchObject({
    code: 'invalid_input',
    message: `${file}:8:13: branch belongs to worktree workspaces only`,
  })
  expect(await desk.store.tasks('main')).toEqual([])
})
