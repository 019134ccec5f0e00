import { describe, expect, test } from 'vitest'
import type { Permissions } from '../../src/core/vocabulary.ts'
import { SHELL_AGENT } from '../../src/agents/agent.ts'
import { authority, beyond, beyondItsAuthor, trustedBy } from '../../src/agents/permissions.ts'
import type { Enlisted } from '../../src/agents/roster.ts'
import { runOf, sampleTask } from '../helpers/sample.ts'

const agent = (permissions: Permissions, more: Partial<Enlisted> = {}): Enlisted => ({
  ...SHELL_AGENT,
  harness: 'command',
  file: null,
  program: null,
  permissions,
  ...more,
})

const WIDTH: readonly Permissions[] = ['read', 'ask', 'edit', 'full']

describe('a text that one agent writes for another', () => {
  test.each(WIDTH.flatMap((author) => WIDTH.map((runner) => [author, runner] as const)))(
    'by one that may %s for one that may %s goes beyond it only if that is more',
    (author, runner) => {
      const isMore = WIDTH.indexOf(runner) > WIDTH.indexOf(author)
      expect(beyond(author, agent(runner))).toBe(isMore ? 'wider' : null)
    },
  )

  test('counts as a script unless its author has full permissions', () => {
    expect(beyond('edit', agent('read', { harness: 'shell' }))).toBe('script')
    expect(beyond('full', agent('full', { harness: 'shell' }))).toBeNull()
  })

  test('counts for more if its author is an orchestrator', () => {
    expect(authority({ permissions: 'read', tools: [] })).toBe('read')
    expect(authority({ permissions: 'read', tools: ['kanban'] })).toBe('edit')
    expect(authority({ permissions: 'full', tools: ['kanban'] })).toBe('full')
  })
})

describe('a body', () => {
  const agents = new Map(
    WIDTH.map((permissions) => [permissions, agent(permissions, { name: permissions, tools: ['kanban'] })] as const),
  )

  test('runs as a script without approval only with full permissions', () => {
    expect(trustedBy(agent('edit', { harness: 'shell' }), { agents })).toEqual(['agent:full'])
  })

  test('is plain text for every other agent', () => {
    expect(trustedBy(agent('full'), { agents })).toBeNull()
  })
})

describe('a card of a run', () => {
  const roster = (permissions: Permissions) => ({
    agents: new Map([['writer', agent(permissions, { name: 'writer' })]]),
  })
  const written = { ...sampleTask(), createdBy: 'agent:writer', createdByRun: runOf('a') }

  test('is judged by the present permissions of its author', () => {
    expect(beyondItsAuthor(written, agent('edit'), roster('read'))).toBe('wider')
    expect(beyondItsAuthor(written, agent('edit'), roster('edit'))).toBeNull()
  })

  test('by a removed author counts as written with `edit`', () => {
    const gone = { ...written, createdBy: 'agent:gone' }
    expect(beyondItsAuthor(gone, agent('edit'), roster('read'))).toBeNull()
    expect(beyondItsAuthor(gone, agent('full'), roster('full'))).toBe('wider')
  })

  test('counts as a person’s if a person wrote or approved it', () => {
    expect(beyondItsAuthor({ ...written, createdByRun: null }, agent('full'), roster('read'))).toBeNull()
  })

  test('may be reviewed, but not run, by the reviewer of the board', () => {
    const review = { ...written, status: 'review' as const }
    expect(beyondItsAuthor(review, agent('full'), roster('read'))).toBeNull()
    expect(beyondItsAuthor({ ...review, reviewer: 'boss' }, agent('full'), roster('read'))).toBe('wider')
    expect(beyondItsAuthor(review, agent('read', { harness: 'shell' }), roster('read'))).toBe('script')
  })
})
