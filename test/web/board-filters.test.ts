import { describe, expect, test } from 'vitest'
import { EMPTY_QUERY, readCardQuery } from '../../src/core/card-query.ts'
import type { InboxItem } from '../../web/src/api/queries.ts'
import type { BoardCard, Column, Columns } from '../../web/src/api/queries.ts'
import { SAMPLE_KEYS, SAMPLE_TEXTS } from '../../web/src/board/empty/sample-texts.ts'
import { chipsOf } from '../../web/src/board/filters/chips.ts'
import { optionsOf } from '../../web/src/board/filters/filter-options.ts'
import { SAME_LOOK_MS, nextLook } from '../../web/src/board/header/last-look.ts'
import { lanesOf } from '../../web/src/board/lanes.ts'
import { withLaterCards } from '../../web/src/board/pages/more-pages.ts'
import { complete, completions, parseQuick } from '../../web/src/board/quick-create/parse-quick.ts'
import { kindsLine, stripItem } from '../../web/src/board/strip/items.ts'
import { defaultsOf, filterOfGroup } from '../../web/src/board/swimlanes/groups.ts'
import { DEFAULT_DISPLAY, readDisplay, writeDisplay } from '../../web/src/routes/board-display.ts'
import { withRecent } from '../../web/src/routes/recent-cards.ts'
import { showsView, viewPath } from '../../web/src/routes/view-address.ts'

const NOW = Date.UTC(2026, 10, 19, 12)
const read = (query: string) => readCardQuery(new URLSearchParams(query))

describe('filters', () => {
  test('each filter has a chip that removes only that filter', () => {
    const chips = chipsOf(read('status=todo,blocked&assignee=claude,none&since=7d&priority=2&text=tax'), {
      language: 'en',
      now: NOW,
    })
    expect(chips.map(({ name, value }) => `${name} ${value}`)).toEqual([
      'Status To do and Blocked',
      'Agent claude and Unassigned',
      'Priority at least 2',
      'Changed in the last 7 d',
      'Text tax',
    ])
    expect(chips[1]?.remove).toEqual({ assignees: [] })
    expect(chipsOf(EMPTY_QUERY, { language: 'ko', now: NOW })).toEqual([])
  })

  test('choosing a chosen option again removes the option from the filter', () => {
    const listed = [
      { value: 'claude', count: 3 },
      { value: null, count: 1 },
    ]
    const choose = (field: Parameters<typeof optionsOf>[0], value: string, query = EMPTY_QUERY) =>
      optionsOf(field, { language: 'en', query, listed }).find((option) => option.value === value)
    expect(choose('assignee', '')).toMatchObject({ label: 'Unassigned', change: { assignees: [null] } })
    expect(choose('assignee', 'claude', read('assignee=claude'))).toMatchObject({
      isChosen: true,
      note: '3',
      change: { assignees: [] },
    })
    expect(choose('waits', 'person', read('waits=person'))?.change).toEqual({ waitsFor: null })
    expect(choose('changed', String(7 * 86_400_000), read('since=7d'))?.change).toEqual({ changed: null })
    expect(choose('tenant', 'claude')?.change).toEqual({ tenant: 'claude' })
  })
})

describe('the display', () => {
  test('the URL sets the display, and an invalid field keeps the remembered value', () => {
    const remembered = { ...DEFAULT_DISPLAY, isCompact: true, sort: 'title' as const }
    const shown = readDisplay(new URLSearchParams('group=tenant&sort=loud&compact=0'), remembered)
    expect(shown).toEqual({ group: 'tenant', sort: 'title', isCompact: false, showsEmpty: false })
    expect(readDisplay(writeDisplay(new URLSearchParams(), shown), DEFAULT_DISPLAY)).toEqual(shown)
  })

  test('a saved view is current if its filters, display and board are shown', () => {
    const view = { board: 'main', query: 'status=blocked' }
    expect(viewPath(view)).toBe('/b/main?status=blocked')
    expect(viewPath({ board: null, query: '' })).toBe('/all')
    expect(showsView(view, { board: 'main', query: 'status=blocked&create=new' }, DEFAULT_DISPLAY)).toBe(true)
    expect(showsView(view, { board: null, query: 'status=blocked' }, DEFAULT_DISPLAY)).toBe(false)
    expect(showsView(view, { board: 'main', query: 'status=blocked&sort=title' }, DEFAULT_DISPLAY)).toBe(false)
  })
})

describe('pages', () => {
  const cards = (...ids: readonly string[]) => ids.map((id) => ({ id })) as unknown as readonly BoardCard[]
  const column = (status: Column['status'], count: number, ids: readonly string[]): Column => ({
    status,
    count,
    isExact: true,
    cards: cards(...ids),
  })

  test('later cards follow the first page, each card once, up to the count of the column', () => {
    const first = { columns: [column('ready', 4, ['a', 'b'])] } as unknown as Columns
    const shown = withLaterCards(first, new Map([['ready', cards('b', 'c', 'd', 'e')]]))
    expect(shown.columns[0]?.cards.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('scheduled cards follow when all cards in todo are loaded', () => {
    const ids = (loaded: readonly string[]) =>
      lanesOf([column('todo', 2, loaded), column('scheduled', 1, ['z'])])[0]?.cards.map(({ id }) => id)
    expect(ids(['a'])).toEqual(['a'])
    expect(ids(['a', 'b'])).toEqual(['a', 'b', 'z'])
  })
})

test('a new visit begins after some time without looking at the board', () => {
  const first = nextLook(null, 1_000)
  expect(first).toEqual({ since: null, seenAt: 1_000 })
  const again = nextLook(first, 1_000 + SAME_LOOK_MS)
  expect(again.since).toBe(1_000)
  expect(nextLook(again, again.seenAt + 60_000)).toEqual({ since: 1_000, seenAt: again.seenAt + 60_000 })
})

describe('quick create', () => {
  const agents = ['claude', 'codex', 'shell']

  test('the name of an agent after an @ is removed from the title', () => {
    expect(parseQuick(' Fix  the login @Claude now', agents)).toEqual({
      title: 'Fix the login now',
      assignee: 'claude',
      unknown: null,
    })
    expect(parseQuick('Mail bob@claude.example about @nobody', agents)).toEqual({
      title: 'Mail bob@claude.example about @nobody',
      assignee: null,
      unknown: 'nobody',
    })
    expect(parseQuick('환불 처리 @codex', agents)).toMatchObject({ title: '환불 처리', assignee: 'codex' })
  })

  test("the beginning of an agent's name is completed", () => {
    expect(completions('Fix it @c', agents)).toEqual(['claude', 'codex'])
    expect(completions('Fix it', agents)).toEqual([])
    expect(complete('Fix it @c', 'codex')).toBe('Fix it @codex ')
  })
})

test('a group filters the board by its value, and a new card in the group gets the value', () => {
  expect(filterOfGroup({ labels: ['bug'] }, 'labels', 'ui')).toEqual({ labels: ['bug', 'ui'] })
  expect(filterOfGroup({}, 'assignee', null)).toEqual({ assignees: [null] })
  expect(filterOfGroup({}, 'tenant', null)).toEqual({ without: ['tenant'] })
  expect([defaultsOf('tenant', 'acme'), defaultsOf('labels', null)]).toEqual([{ tenant: 'acme' }, {}])
})

test('the strip shows the question of a card, or the checks and changes of finished work', () => {
  const item = (fields: Partial<InboxItem>): InboxItem =>
    ({
      id: 't_1',
      since: NOW - 720_000,
      reason: null,
      work: null,
      question: null,
      account: null,
      ...fields,
    }) as InboxItem
  const task = { title: 'Refund flow', assignee: 'claude' } as NonNullable<InboxItem['task']>
  const context = { language: 'en', now: NOW } as const
  expect(stripItem(item({ kind: 'question', task, question: 'Which currency?' }), context)).toEqual({
    title: 'Which currency?',
    note: 'Refund flow · claude · 12 min',
  })
  const work = { by: 'claude', checks: { passed: 3, total: 3 }, changes: { files: 6, added: 184, removed: 23 } }
  expect(stripItem(item({ kind: 'review', task, work: work as InboxItem['work'] }), context).note).toBe(
    '3 of 3 checks pass · +184 −23 in 6 files · claude · 12 min',
  )
  const kinds = ['question', 'review', 'review', 'triage'] as const
  expect(
    kindsLine(
      kinds.map((kind) => ({ kind })),
      'en',
    ),
  ).toBe('a question, a review, 2 more')
})

test('the sample cards have texts in every language', () => {
  for (const texts of Object.values(SAMPLE_TEXTS)) for (const key of SAMPLE_KEYS) expect(texts[key].title).not.toBe('')
})

test('the list of recent cards starts with the last card and contains each card once', () => {
  const card = (id: string) => ({ board: 'main', id })
  const before = [card('a'), card('b')]
  expect(withRecent(before, card('b')).map(({ id }) => id)).toEqual(['b', 'a'])
  const many = Array.from({ length: 8 }, (_, at) => card(String(at)))
  expect(withRecent(many, card('new'))).toHaveLength(8)
})
