import { expect, it } from 'vitest'
import { CODE_VERSION } from '../../src/storage/migrate.ts'
import { card, commentOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

describeStores('a store of version 1', (open, engine) => {
  it('a store of version 1 is upgraded by the next writer and keeps its data', async () => {
    const desk = await Desk.open(await open())
    const { raw, again } = desk.test
    await desk.ok('pause', { kind: 'agent', name: 'coder', reason: 'before the upgrade' })
    await desk.card('a')
    await desk.ok('comment', { task: card('a'), id: commentOf('one'), body: 'First.' })
    await desk.ok('comment', { task: card('a'), id: commentOf('two'), body: 'Second.' })
    if (engine === 'sqlite') {
      for (const verb of ['insert', 'delete', 'update'])
        for (const index of ['tally', 'text']) await raw(`drop trigger task_${index}_${verb}`)
      await raw('drop trigger comment_number')
      for (const suffix of ['', '_update', '_delete']) await raw(`drop trigger task_labels${suffix}`)
      for (const name of [
        'comment_text',
        'comment_text_delete',
        'result_text',
        'result_text_update',
        'result_text_delete',
      ])
        await raw(`drop trigger ${name}`)
      for (const table of ['tally', 'task_text', 'task_search', 'note_text', 'note_search', 'card_value'])
        await raw(`drop table ${table}`)
      await raw(`delete from sqlite_stat1 where tbl in ('task_text', 'note_text')`)
    } else {
      await raw(
        'drop function count_card, refuse_card, fold_tally, index_text, number_comment, list_labels, grams_of, cards_with_grams, index_comment, index_result, notes_with_grams cascade',
      )
      await raw('drop table tally, task_text, note_text, card_value')
    }
    await raw('drop table inbox_mark')
    await raw('drop table token')
    await raw('drop table saved_view')
    await raw('drop table series')
    await raw('drop table blackboard')
    await raw('alter table dispatcher drop column last_pass')
    await raw('alter table comment drop column number')
    const inbox = ['blocked', 'triage', 'unapproved', 'person_review', 'unlanded', 'finished'].map(
      (one) => `task_${one}`,
    )
    const growth = ['task_created_by_run', 'task_title', 'task_named_directory', 'task_named_repository']
    for (const index of [
      'run_crashed',
      'run_ended',
      'run_usage',
      'event_review',
      'event_body',
      'comment_answer',
      'task_branch',
      'task_owner',
      'task_place',
      'task_plan_due',
      'task_plan_started',
      'task_series',
      'task_swarm',
      'task_tournament',
      'task_pick',
      ...growth,
      ...inbox,
    ]) {
      await raw(`drop index ${index}`)
      if (engine === 'sqlite') await raw(`delete from sqlite_stat1 where idx = '${index}'`)
    }
    for (const added of ['resumed_at', 'paused_until']) await raw(`alter table slot drop column ${added}`)
    await raw('alter table task drop column review_requested_at')
    await raw('alter table comment drop column answer_to')
    await raw('alter table run drop column changes')
    await raw('alter table run drop column goal')
    await raw('alter table task drop column goal_turns')
    const swarms = ['swarm', 'swarm_role', 'rejections']
    const plans = ['decomposed_at', 'plan_attempts', 'plan_started_at', 'plan_after', 'plan_failure']
    const tournaments = ['tournament', 'pick_since', 'entry_of']
    const others = ['landed', 'succeeded_at', 'labels', 'base', 'rank_shift', 'series', 'series_slot']
    for (const added of [...others, ...plans, ...tournaments, ...swarms])
      await raw(`alter table task drop column ${added}`)
    for (const added of ['base', 'base_branch', 'machine', 'host', 'owner', 'sweeper'])
      await raw(`alter table task drop column workspace_${added}`)
    await raw('delete from migration where version > 1')
    await expect(again({ mode: 'read' })).rejects.toMatchObject({ code: 'store_too_old' })
    const store = await again({ mode: 'write' })
    expect(await store.slots()).toMatchObject([{ name: 'coder', pauseReason: 'before the upgrade', resumedAt: null }])
    expect(await store.recentCrashes(0, 10)).toEqual([])
    expect(await store.groups('main')).toEqual([{ status: 'ready', assignee: 'coder', count: 1 }])
    expect(await store.task('main', card('a'))).toMatchObject({ status: 'ready', reviewRequestedAt: null })
    expect(await store.comments('main', card('a'), { limit: 1 })).toMatchObject({
      comments: [{ body: 'Second.' }],
      earlier: 1,
    })
    const indexed =
      engine === 'sqlite'
        ? `from task_search where task_search match '"car"'`
        : `from task_text where grams @> '{6513010}'`
    expect(await raw(`select count(*) as n ${indexed}`)).toEqual([{ n: 1 }])
    expect(await store.tasks('main', { text: 'second.' })).toMatchObject([{ id: card('a') }])
    expect(await raw('select count(*) as n from note_text')).toEqual([{ n: 2 }])
    const versions = (await raw('select version from migration order by version')).map(({ version }) => version)
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => Number(a) - Number(b)))
    // A migration with a higher version than that of the code would never run.
    expect(versions.at(-1)).toBe(CODE_VERSION)
  })
})
