import { expect, it } from 'vitest'
import { card } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

describeStores(
  'the revision of a store',
  (open, engine) => {
    it.runIf(engine === 'postgres')('a PostgreSQL store has no revision', async () => {
      const { store } = (await Desk.open(await open())).test
      expect((await store.revision()).id).toBeNull()
    })

    it.runIf(engine === 'sqlite')('the revision changes with every commit of any process, and only then', async () => {
      const desk = await Desk.open(await open())
      const { store, again, raw } = desk.test
      const other = await again()
      const seen: (string | null)[] = []
      const note = async (): Promise<void> => void seen.push((await store.revision()).id)
      await note()
      await desk.card('a')
      await note()
      await desk.through(other).card('b')
      await note()
      await raw(`update task set title = 'Changed' where id = '${card('a')}'`)
      await note()
      expect(new Set(seen).size).toBe(4)
      await store.task('main', card('a'))
      await other.tasks('main')
      await note()
      expect(seen.at(-1)).toBe(seen.at(-2))
    })
  },
  { inThread: true },
)
