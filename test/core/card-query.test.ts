import { describe, expect, it } from 'vitest'
import { EMPTY_QUERY, countFilters, filterOf, readCardQuery, writeCardQuery } from '../../src/core/card-query.ts'

const read = (query: string) => readCardQuery(new URLSearchParams(query))
const NOW = Date.UTC(2026, 10, 19, 12, 0, 30)

describe('the filters in a URL', () => {
  it('all filters are the same after a round trip through the URL', () => {
    const address =
      'status=todo,blocked&assignee=claude,none&label=bug,urgent&tenant=acme&workflow=w1&priority=2&waits=person&by=ada&since=7d&finished=1700000000000&text=환불 & more'
    const query = read(address)
    expect(query).toEqual({
      statuses: ['todo', 'blocked'],
      assignees: ['claude', null],
      labels: ['bug', 'urgent'],
      tenant: 'acme',
      workflow: 'w1',
      text: '환불',
      createdBy: 'ada',
      minPriority: 2,
      waitsFor: 'person',
      changed: { lastMs: 604_800_000 },
      finished: { at: 1_700_000_000_000 },
    })
    expect(readCardQuery(writeCardQuery(new URLSearchParams(), query))).toEqual(query)
    expect(countFilters(query)).toBe(11)
  })

  it('invalid filters in a URL are ignored', () => {
    expect(read('status=lost&priority=high&waits=nothing&since=soon&finished=-1&label=,&text=%20')).toEqual(EMPTY_QUERY)
    expect(countFilters(EMPTY_QUERY)).toBe(0)
  })

  it('writing filters keeps other parts of the URL and removes empty filters', () => {
    const next = writeCardQuery(new URLSearchParams('tab=runs&status=done&group=agent'), EMPTY_QUERY)
    expect(String(next)).toBe('tab=runs&group=agent')
  })

  it('a relative time is rounded to a minute, so repeated queries are equal', () => {
    const filter = filterOf(read('since=1h&status=done&assignee=none'), NOW)
    expect(filter).toEqual({
      statuses: ['done'],
      assignees: [null],
      changedSince: Date.UTC(2026, 10, 19, 11, 0, 0),
    })
    expect(filterOf(EMPTY_QUERY, NOW)).toEqual({})
  })
})
