import { expect, it } from 'vitest'
import { clockwork, orchestrator } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

const urgent = { name: 'urgent', board: 'main', query: 'status=blocked&label=urgent' }

describeStores('the saved views', (open) => {
  it('a view is saved, replaced, renamed and deleted', async () => {
    const desk = await Desk.open(await open())
    const { store } = desk
    await desk.ok('save_view', { ...urgent, query: '' })
    await desk.ok('save_view', urgent)
    await desk.ok('save_view', { name: 'all', board: null, query: 'since=12h' })
    expect(await store.savedViews()).toMatchObject([
      { name: 'all', board: null, createdBy: 'ada' },
      { ...urgent, createdBy: 'ada' },
    ])
    expect(await desk.refused('rename_view', { name: 'urgent', to: 'all' })).toBe('view_exists')
    await desk.ok('rename_view', { name: 'urgent', to: '급한 일' })
    expect((await store.savedViews()).map(({ name }) => name)).toEqual(['all', '급한 일'])
    await desk.ok('delete_view', { name: 'all' })
    expect(await desk.refused('delete_view', { name: 'all' })).toBe('view_not_found')
    expect(await desk.refused('rename_view', { name: 'all', to: 'other' })).toBe('view_not_found')
    const { saved_view: rows, event = [] } = await store.exportAll()
    expect(rows).toMatchObject([{ name: '급한 일', query: urgent.query }])
    expect(event.map(({ kind }) => kind).filter((kind) => String(kind).startsWith('view_'))).toEqual([
      'view_saved',
      'view_saved',
      'view_saved',
      'view_renamed',
      'view_deleted',
    ])
  })

  it('the views of a deleted board are deleted', async () => {
    const desk = await Desk.open(await open())
    const side = new Desk(desk.test, 'side')
    await side.ok('create_board', { slug: 'side' })
    await desk.ok('save_view', { ...urgent, board: 'side' })
    await desk.ok('save_view', { ...urgent, name: 'other', board: null })
    await side.ok('delete_board', {})
    expect((await desk.store.savedViews()).map(({ name }) => name)).toEqual(['other'])
  })

  it('only a person manages views, and a query has no spaces', async () => {
    const desk = await Desk.open(await open())
    for (const actor of [orchestrator, clockwork])
      expect(await desk.refused('save_view', urgent, actor)).toBe('not_allowed')
    expect(await desk.refused('save_view', { ...urgent, query: 'text=a b' })).toBe('invalid_input')
    expect(await desk.store.savedViews()).toEqual([])
  })
})
