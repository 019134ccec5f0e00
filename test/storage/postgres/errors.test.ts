import { expect, it } from 'vitest'
import { explain } from '../../../src/storage/postgres/errors.ts'

const raised = (code: string): Error => Object.assign(new Error('could not extend file'), { code })

it('a full disk on the server becomes the error disk_full', () => {
  expect(explain(raised('53100'), 'database muster on db.example')).toMatchObject({
    code: 'disk_full',
    message: 'The disk that holds database muster on db.example is full: free some space.',
    details: { sqlstate: '53100' },
  })
})

it.each([
  ['53200', 'store_busy'],
  ['53300', 'store_unreachable'],
  ['42501', 'store_read_only'],
  ['XX001', 'store_corrupt'],
  ['99999', 'internal'],
])('the server error %s becomes %s', (sqlstate, code) => {
  expect(explain(raised(sqlstate), 'database muster')).toMatchObject({ code })
})

it('an error without a code is returned unchanged', () => {
  const error = new Error('not from the server')
  expect(explain(error, 'database muster')).toBe(error)
})
