import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SURFACE_ENGINES } from '../helpers/stores.ts'
import { kindsOf, openHome, shellCard, startUp, untilStatus } from '../helpers/run-cards.ts'

const WARNING = /Scratch folders are temporary.*--artifact.*--workspace dir:/

test.each(SURFACE_ENGINES)('only the first scratch card on %s warns that scratch is temporary', async (engine) => {
  const home = await openHome(engine)
  const elsewhere = await shellCard(home, 'true', '--workspace', `dir:${home.home}`)
  expect((await home.muster('dispatch', '--wait')).stderr).not.toMatch(WARNING)
  const { id: first } = await shellCard(home, 'true')
  const warned = await home.muster('dispatch', '--wait')
  expect(warned.stderr.match(new RegExp(WARNING, 'g'))).toHaveLength(1)
  expect((await home.runInline('show', first)).stdout).toMatch(/scratch_explained .*Scratch folders are temporary/)
  // Even without the file, the store records that the warning was printed. The file only saves a query.
  rmSync(join(home.home, 'scratch-explained'))
  const { id: second } = await shellCard(home, 'true')
  const up = startUp(home)
  await untilStatus(home, second, 'done')
  up.child.kill('SIGTERM')
  expect((await up.ended).stderr).not.toMatch(WARNING)
  const told = await Promise.all([elsewhere.id, first, second].map((id) => kindsOf(home, id)))
  expect(told.map((kinds) => kinds.filter((kind) => kind === 'scratch_explained').length)).toEqual([0, 1, 0])
})

test('`muster up` warns when the first scratch card starts', async () => {
  const home = await openHome('sqlite')
  const up = startUp(home)
  const { id } = await shellCard(home, 'true')
  await untilStatus(home, id, 'done')
  up.child.kill('SIGTERM')
  expect((await up.ended).stderr.match(new RegExp(WARNING, 'g'))).toHaveLength(1)
})
