import { expect, test } from 'vitest'
import { createValue, readCreate, withoutCreate } from '../../web/src/routes/create-address.ts'

const query = (text: string): URLSearchParams => new URLSearchParams(text)

test('a URL without the field `create` keeps the dialog closed', () => {
  expect(readCreate(query('status=ready'))).toBeNull()
})

test("a URL opens the dialog with values, and closing it keeps the board's filters", () => {
  const next = query('status=blocked')
  next.set('create', createValue({ status: 'triage', title: 'A & b', labels: '' }))
  expect(readCreate(next)).toEqual({ status: 'triage', title: 'A & b' })
  expect(String(withoutCreate(next))).toBe('status=blocked')
})

test('a filter of the board does not fill in an empty dialog', () => {
  expect(readCreate(query(`create=${createValue()}&status=blocked`))).toEqual({})
})

test('a hand-written link fills in the fields, and closing the dialog removes them from the URL', () => {
  const link = query('create=Fix+the+login&status=triage&assignee=claude&q=x')
  expect(readCreate(link)).toEqual({ title: 'Fix the login', status: 'triage', assignee: 'claude' })
  expect(String(withoutCreate(link))).toBe('q=x')
  expect(readCreate(query('create=1'))).toEqual({})
})
