import { expect, test } from 'vitest'
import { resolveTask } from '../../../src/operations/shared/resolve-task.ts'
import { card } from '../../helpers/sample.ts'

const cards = [card('aaaa111111'), card('aaaa222222'), card('bbbb333333')]
const store = {
  tasksByPrefix: async (prefix: string) =>
    cards.filter((id) => id.startsWith(prefix)).map((id) => ({ id, board: 'main', title: 'T' })),
}

test('a whole id or a unique prefix finds the card', async () => {
  expect(await resolveTask(store, 't_aaaa111111')).toEqual({ board: 'main', id: 't_aaaa111111' })
  expect(await resolveTask(store, ' T_BBB ')).toEqual({ board: 'main', id: 't_bbbb333333' })
})

test('an ambiguous prefix is refused with the matching ids', async () => {
  await expect(resolveTask(store, 't_aaaa')).rejects.toMatchObject({
    code: 'ambiguous_id',
    details: { ids: ['t_aaaa111111', 't_aaaa222222'] },
  })
})

test.each(['t_ccc', 't_a', 'x', ''])('no card is found for the text %j', async (typed) => {
  await expect(resolveTask(store, typed)).rejects.toMatchObject({ code: 'task_not_found' })
})
