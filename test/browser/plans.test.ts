/** Plans, goals and recurring work, in a browser. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { chooseModel, startScriptedModel } from '../helpers/scripted-model.ts'
import type { ScriptedModel, ScriptedReply } from '../helpers/scripted-model.ts'
import { writeAgent } from '../helpers/run-cards.ts'
import { layoutFaults, violationsOf } from './axe.ts'
import { untilLive, useDashboard } from './dashboard.ts'

const PLAYS = join(import.meta.dirname, '..', 'fixtures', 'agents', 'plays.mjs')
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } as const

let model: ScriptedModel
const ids: { goal: TaskId | null } = { goal: null }
const missing = (...points: readonly string[]): ScriptedReply => ({
  json: { answer: 'continue', reason: 'Not yet.', missing: points },
})

const { home, open } = useDashboard(async (seeded) => {
  model = await startScriptedModel()
  chooseModel(seeded.home, model)
  for (const name of ['coder', 'writer'])
    writeAgent(
      seeded,
      name,
      `harness: command\nonExit: verdict\nargs: [${PLAYS}, "{mcp}", "{turn}", "{body}"]`,
      'Play.',
    )
  model.script(missing('the tests', 'the page about refunds'), missing('the page about refunds'))
  const turns = [[['write', 'one']], [['write', 'two']]]
  const flags = ['--assignee', 'coder', '--goal-max-turns', '2', '--body', JSON.stringify(turns)]
  ids.goal = (await seeded.create('Translate the guide', ...flags)).id
  await seeded.dispatch('--wait')
})
afterAll(() => model.close())

const idea = async (title: string): Promise<TaskId> => (await home.create(title, '--triage')).id
const goalCard = (): TaskId => ids.goal ?? never('the card is seeded')

const planned = (key: string, title: string, after: readonly string[] = [], more: object = {}) => ({
  key,
  title,
  body: `${title}.`,
  assignee: 'coder',
  checks: [],
  after,
  ...more,
})
const SPLIT: ScriptedReply = {
  json: {
    rationale: 'The parts can be done at the same time.',
    split: true,
    cards: [
      planned('form', 'Build the form'),
      planned('prices', 'Collect the prices', [], { assignee: 'nobody' }),
      planned('page', 'Write the page', ['form', 'prices', 'logo'], { checks: ['npm test'] }),
    ],
  },
}
const WRITTEN: ScriptedReply = {
  json: {
    rationale: 'The card is small.',
    title: 'Publish the price list',
    body: '## Goal\n\nPublish it.',
    assignee: 'writer',
    checks: ['test -s prices.md'],
  },
}

function never(text: string): never {
  throw new Error(text)
}

const apply = (page: Page) => page.getByRole('button', { name: 'Apply', exact: true })
const node = (page: Page, key: string) => page.locator(`[data-card="${key}"]`)

test('a card is split: the plan is changed, kept across a reload, and applied', async () => {
  const id = await idea('A page that shows our prices')
  let answer = (): void => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  model.script(async () => {
    await answered
    return SPLIT
  })
  const page = await open(`/b/default/${id}`)
  await page.getByRole('button', { name: 'Split into cards' }).click()
  await page.getByRole('heading', { name: 'The planner splits the card' }).waitFor()
  // The person leaves the page, and the question goes on.
  await page.getByRole('link', { name: 'Open the card' }).click()
  await page.getByText('The planner is working on this card.').waitFor()
  answer()
  await page.getByText('is ready').waitFor()
  await page.getByRole('button', { name: 'Show', exact: true }).click()

  await page.getByText('The parts can be done at the same time.').waitFor()
  await page.getByText('Agent nobody does not exist, so Collect the prices has no agent.').waitFor()
  await page.getByText('The plan has no card logo, so Write the page does not wait for it.').waitFor()
  await page.getByText('1 command was written by a model.').waitFor()
  await page.getByText('scripted · 100 tokens read, 20 written').waitFor()
  await node(page, 'form').locator('button').click()
  await page.getByLabel('Title', { exact: true }).fill('Build the price form')
  await page.getByRole('group', { name: 'Waits for' }).getByLabel('Collect the prices').check()
  await page.getByRole('button', { name: 'Add a card' }).click()
  await page.getByLabel('Title', { exact: true }).fill('Tell the customers')
  await page.reload()
  await node(page, 'new-4').getByText('Tell the customers').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await untilLive(page)
  await apply(page).click()
  await page.waitForURL('**/graph/default?card=*')
  await page.getByText('4 cards were created').waitFor()
  const parents = await Promise.all((await home.show(id)).parents.map((child) => home.show(child)))
  expect(parents.map(({ title }) => title).toSorted()).toEqual([
    'Build the price form',
    'Collect the prices',
    'Tell the customers',
    'Write the page',
  ])
  expect(parents.find(({ title }) => title === 'Write the page')).toMatchObject({
    commandsApproved: false,
    checks: ['npm test'],
  })
})

test('a card is written out beside its old text, and applied on hold', async () => {
  const id = await idea('prices')
  model.script(WRITTEN)
  const page = await open(`/plan/default/${id}`)
  await untilLive(page)
  await page.getByRole('button', { name: 'Write it out' }).click()
  await page.getByRole('region', { name: 'Planned' }).waitFor()
  await page.getByRole('region', { name: 'Now' }).getByText('prices').waitFor()
  await page.getByLabel('Title', { exact: true }).fill('Publish the prices')
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Apply on hold' }).click()
  await page.waitForURL(`**/b/default/${id}`)
  expect(await home.show(id)).toMatchObject({
    title: 'Publish the prices',
    held: true,
    assignee: 'writer',
    checks: ['test -s prices.md'],
    commandsApproved: false,
  })
})

test('a failure of the model shows a remedy, and the question can be cancelled', async () => {
  const id = await idea('A shop window')
  const page = await open(`/plan/default/${id}`, { expects: [/status of (409|50\d)/] })
  await untilLive(page)
  const ask = page.getByRole('button', { name: 'Write it out' })
  model.script({ status: 500 })
  await ask.click()
  await page.getByRole('heading', { name: 'The planner model cannot be reached' }).waitFor()
  model.script({ text: 'no' }, { text: 'still no' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'The answer of the planner model was not valid' }).waitFor()
  await page.getByText('This attempt used').waitFor()
  model.script('silent')
  await ask.click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('heading', { name: 'Let the planner work it out' }).waitFor()
  writeFileSync(join(home.home, 'config.yaml'), '')
  await ask.click()
  await page.getByRole('heading', { name: 'No planner model is set' }).waitFor()
  await page.getByRole('region', { name: 'Code' }).getByText('planner: { cli: claude }').waitFor()
  expect(await violationsOf(page)).toEqual([])
  chooseModel(home.home, model)
  expect(await home.show(id)).toMatchObject({ status: 'triage', title: 'A shop window' })
})

test('a refused plan stays as it is, and a card that left triage is explained', async () => {
  const id = await idea('A newsletter')
  model.script(SPLIT)
  const page = await open(`/plan/default/${id}`, { expects: [/400/] })
  await untilLive(page)
  await page.getByRole('button', { name: 'Split into cards' }).click()
  await node(page, 'form').waitFor()
  await page.route('**/decompose', (route) =>
    route.fulfill({
      status: 400,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        code: 'invalid_input',
        detail: 'The title is too long.',
        status: 400,
        details: { field: 'plan.cards.1.title' },
      }),
    }),
  )
  await apply(page).click()
  await page.getByRole('alert').getByText('Nothing was changed on the board. The title is too long.').waitFor()
  await node(page, 'form').waitFor()
  await home.runInline('promote', id)
  await page.getByText('This plan cannot be applied: the card has left triage').waitFor()
  expect(await apply(page).getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.waitForURL(`**/b/default/${id}`)
})

test('the inbox and the menu of a card can start a plan', async () => {
  const id = await idea('A loyalty card')
  model.script(WRITTEN)
  const page = await open(`/needs-you?item=${id}`)
  await untilLive(page)
  await page.locator(`#item-${id}`).getByRole('button', { name: 'Plan…' }).click()
  await page.getByRole('menuitem', { name: 'Write it out' }).click()
  await page.waitForURL(`**/plan/default/${id}`)
  await page.getByRole('region', { name: 'Planned' }).waitFor()
  await page.goto(page.url().replace('/plan/', '/b/'))
  await page.getByText('A plan for this card waits for you.').waitFor()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('Split into')
  await page.getByRole('option', { name: /Split into cards/ }).click()
  await page.waitForURL(`**/plan/default/${id}`)
  // The plan that waits is shown, and the planner is not asked again.
  await page.getByRole('region', { name: 'Planned' }).waitFor()
})

test('a goal shows the missing points of each turn, and can be changed', async () => {
  const page = await open(`/b/default/${goalCard()}`)
  await untilLive(page)
  const goal = page.getByRole('region', { name: 'Goal' })
  await goal.getByText('Turn 2 of 2', { exact: true }).waitFor()
  await goal.getByText('All turns are used.').waitFor()
  await goal.getByText('Judge: scripted · 240 tokens').waitFor()
  expect(await goal.getByRole('listitem').filter({ hasText: 'the tests' }).count()).toBeGreaterThan(0)
  expect(await violationsOf(page)).toEqual([])
  await goal.getByRole('button', { name: 'Change' }).click()
  await page.getByLabel('Turns allowed').fill('9')
  await page.getByLabel('Turns allowed').press('Enter')
  await goal.getByText('Turn 2 of 9', { exact: true }).waitFor()
  expect(await home.show(goalCard())).toMatchObject({ goal: { maxTurns: 9, judge: 'model' } })
})

test('a series is added, paused, run and removed', async () => {
  const page = await open('/recurring')
  await untilLive(page)
  await page.getByRole('heading', { name: 'No recurring work yet' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('n')
  await page.getByLabel('Title of each card').fill('Check the feeds')
  await page.getByRole('button', { name: 'Add a series' }).last().click()
  await page.getByText('This is not a schedule.').waitFor()
  await page.getByLabel('Schedule').fill('weekdays 09:00')
  await page.getByText('Weekdays at 09:00. Next:').or(page.getByText('Weekdays at 09:00').nth(1)).first().waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.reload()
  expect(await page.getByLabel('Title of each card').inputValue()).toBe('Check the feeds')
  await untilLive(page)
  await page.getByLabel('Title of each card').press('ControlOrMeta+Enter')
  await page.getByRole('list', { name: 'Next times' }).waitFor()
  expect(await page.getByRole('list', { name: 'Next times' }).getByRole('listitem').count()).toBe(5)

  await page.getByRole('button', { name: 'Run now' }).click()
  const card = page.getByRole('article').getByRole('link', { name: 'Check the feeds' })
  await card.waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('It creates no cards until you resume it.').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await page.keyboard.press('e')
  await page.getByLabel('Schedule').fill('every 2h')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('article').getByText('Every 2 hours').waitFor()
  await card.click()
  await page.getByRole('link', { name: 'Show its series' }).click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('heading', { name: 'No recurring work yet' }).waitFor()
})

test('plans and series fit on a phone', async () => {
  const id = await idea('A map of all shops, with their opening hours and the way to each of them')
  model.script(SPLIT)
  const page = await open(`/plan/default/${id}`, PHONE)
  await untilLive(page)
  await page.getByRole('button', { name: 'Split into cards' }).click()
  await node(page, 'page').waitFor()
  // In the graph, the whole card is the target of its button.
  const drawn = new Set(['Build the form', 'Collect the prices', 'Write the page'])
  expect((await layoutFaults(page, 24)).filter((fault) => !drawn.has(fault))).toEqual([])
  const added = await home.runInline('recur', 'add', 'daily 7:30', '--title', 'Water the plants', '--json')
  const { id: series } = JSON.parse(added.stdout) as { id: string }
  await page.goto(page.url().replace(/\/plan\/.*/, `/recurring/${series}`))
  await page.getByRole('list', { name: 'Next times' }).waitFor()
  expect(await layoutFaults(page, 24)).toEqual([])
  expect(await violationsOf(page)).toEqual([])
})
