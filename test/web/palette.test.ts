import { expect, test } from 'vitest'
import { groupEntries } from '../../web/src/palette/entries.ts'
import type { Entry, GroupName } from '../../web/src/palette/entries.ts'
import { inOrder } from '../../web/src/palette/search.ts'
import type { FoundCard } from '../../web/src/palette/search.ts'

const entry = (group: GroupName, label: string, words = ''): Entry => ({
  value: `${group} ${label}`,
  group,
  label,
  words,
  icon: null,
  onChoose: () => {},
})

const shown = (entries: readonly Entry[], typed: string) =>
  groupEntries(entries, typed).map(
    ({ name, entries: found }) => `${name}: ${found.map(({ label }) => label).join(', ')}`,
  )

const ENTRIES = [
  entry('agents', 'claude', 'Agents'),
  entry('goTo', 'Agents'),
  entry('actions', 'New card'),
  entry('recent', 'Refund flow'),
  entry('boards', 'Work', 'work Boards'),
]

test('without a text, the palette shows recent cards first, and each group has its entries', () => {
  expect(shown(ENTRIES, '')).toEqual([
    'recent: Refund flow',
    'actions: New card',
    'boards: Work',
    'agents: claude',
    'goTo: Agents',
  ])
})

test('a text selects entries of the palette by words, and keeps the cards found by the server', () => {
  const entries = [...ENTRIES, entry('cards', 'Split the checkout'), entry('create', 'Create a card: agents')]
  expect(shown(entries, 'agents')).toEqual([
    'cards: Split the checkout',
    'agents: claude',
    'goTo: Agents',
    'create: Create a card: agents',
  ])
})

test('cards with the text in their title come first, and finished cards last', () => {
  const card = (id: string, title: string, status: FoundCard['status']): FoundCard => ({
    board: 'b',
    id,
    title,
    status,
  })
  const found = [
    card('t_1', 'Something else', 'blocked'),
    card('t_2', 'Old refund', 'done'),
    card('t_3', 'Refund flow', 'ready'),
    card('t_4', 'Named by its id', 'done'),
  ]
  expect(inOrder(found, 'refund').map(({ id }) => id)).toEqual(['t_3', 't_2', 't_1', 't_4'])
  expect(inOrder(found, 't_4')[0]?.id).toBe('t_4')
})
