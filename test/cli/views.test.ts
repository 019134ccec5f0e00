import { expect, test } from 'vitest'
import { makeCliHome } from '../helpers/in-process.ts'

test('views are saved, listed, renamed and deleted at the terminal', async () => {
  const { muster } = makeCliHome()
  await muster('init')
  expect((await muster('views', 'save', 'urgent', 'label=urgent', '--of', 'default')).stdout).toBe(
    'Saved view urgent.\n',
  )
  expect((await muster('views', 'save', 'lost', 'label=x', '--of', 'nowhere')).code).toBe(3)
  expect((await muster('views')).stdout).toContain('urgent\tdefault\tlabel=urgent')
  await muster('create', 'Fix the login', '--label', 'urgent')
  await muster('create', 'Write the notes')
  const listed = await muster('list', '--view', 'urgent')
  expect(listed.stdout).toContain('Fix the login')
  expect(listed.stdout).not.toContain('Write the notes')
  await muster('boards', 'create', 'work')
  expect((await muster('list', '--view', 'urgent', '--board', 'work')).stderr).toContain(
    'View urgent shows board default. Add --board default.',
  )
  expect((await muster('list', '--view', 'none')).code).toBe(3)
  expect((await muster('views', 'rename', 'urgent', 'Now')).stdout).toBe('Renamed view urgent to Now.\n')
  expect((await muster('views', 'delete', 'Now')).stdout).toBe('Deleted view Now.\n')
  const again = await muster('views', 'delete', 'Now')
  expect(again.code).toBe(3)
  expect(again.stderr).toContain('There is no saved view Now. To list views: muster views')
})
