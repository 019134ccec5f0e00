import { expect, it } from 'vitest'
import { TASK } from '../../src/storage/rows.ts'
import { card } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import type { TestStore } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

/** Copies a finished card. The copy number i finished at the time i, and every thousandth has no time. */
async function fill({ engine, raw }: TestStore, cards: number): Promise<void> {
  const [series, id] =
    engine === 'sqlite'
      ? [
          `(with recursive s (i) as (select 1 union all select i + 1 from s where i < ${cards}) select i from s) s`,
          `'t_' || printf('%010d', i)`,
        ]
      : [`(select i from generate_series(1, ${cards}) i) s`, `'t_' || lpad(i::text, 10, '0')`]
  const own: Readonly<Record<string, string>> = {
    id,
    completed_at: 'case when i % 1000 = 0 then null else i end',
  }
  const values = TASK.columnNames.map((name) => own[name] ?? `task.${name}`)
  await raw(`insert into task (${TASK.columnNames.join(', ')}) select ${values.join(', ')}
    from ${series}, task where task.id = '${card('a')}'`)
}

describeStores('the count of finished cards', (open) => {
  it('the count is exact, whether more cards finished before or after the time', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.complete(card('a'))
    const cards = 12_000
    await fill(desk.test, cards)
    await desk.ok('archive', { task: card('a') })
    for (const since of [-1, 10, 500, 1_500, 6_000, 10_500, 11_500, cards]) {
      const later = Array.from({ length: cards }, (_, at) => at + 1).filter((i) => i > since && i % 1000 !== 0)
      const { count } = await desk.store.finishedSince(['main'], { since, most: 1 })
      expect([since, count]).toEqual([since, later.length])
    }
  })
})
