import { describe, expect, test } from 'vitest'
import type { Permissions } from '../../src/core/vocabulary.ts'
import { SHELL_AGENT } from '../../src/agents/agent.ts'
import { authority, causeForApproval, causeForCardApproval, trustedBy } from '../../src/agents/permissions.ts'
import type { LocalAgent } from '../../src/agents/roster.ts'
import { runOf, sampleTask } from '../helpers/sample.ts'

const agent = (permissions: Permissions, more: Partial<LocalAgent> = {}): LocalAgent => ({
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
    'a text by an author with %s for a runner with %s needs approval only if the runner has more permissions',
    (author, runner) => {
      const isMore = WIDTH.indexOf(runner) > WIDTH.indexOf(author)
      expect(causeForApproval(author, agent(runner))).toBe(isMore ? 'wider' : null)
    },
  )

  test('a text for a shell agent counts as a script unless its author has full permissions', () => {
    expect(causeForApproval('edit', agent('read', { harness: 'shell' }))).toBe('script')
    expect(causeForApproval('full', agent('full', { harness: 'shell' }))).toBeNull()
  })

  test('a text by an orchestrator counts as written with at least `edit`', () => {
    expect(authority({ permissions: 'read', tools: [] })).toBe('read')
    expect(authority({ permissions: 'read', tools: ['kanban'] })).toBe('edit')
    expect(authority({ permissions: 'full', tools: ['kanban'] })).toBe('full')
  })
})

describe('the body of a card', () => {
  const agents = new Map(
    WIDTH.map((permissions) => [permissions, agent(permissions, { name: permissions, tools: ['kanban'] })] as const),
  )

  test('a card body runs as a script without approval only if its author has full permissions', () => {
    expect(trustedBy(agent('edit', { harness: 'shell' }), { agents })).toEqual(['agent:full'])
  })

  test('a card body is never a script for an agent with another harness', () => {
    expect(trustedBy(agent('full'), { agents })).toBeNull()
  })
})

describe('a card created by a run', () => {
  const roster = (permissions: Permissions) => ({
    agents: new Map([['writer', agent(permissions, { name: 'writer' })]]),
  })
  const written = { ...sampleTask(), createdBy: 'agent:writer', createdByRun: runOf('a') }

  test('a card created by a run is judged by the current permissions of its author', () => {
    expect(causeForCardApproval(written, agent('edit'), roster('read'))).toBe('wider')
    expect(causeForCardApproval(written, agent('edit'), roster('edit'))).toBeNull()
  })

  test('a card whose author was removed counts as written with the permission `edit`', () => {
    const gone = { ...written, createdBy: 'agent:gone' }
    expect(causeForCardApproval(gone, agent('edit'), roster('read'))).toBeNull()
    expect(causeForCardApproval(gone, agent('full'), roster('full'))).toBe('wider')
  })

  test('a card counts as written by a person if a person wrote or approved the card', () => {
    expect(causeForCardApproval({ ...written, createdByRun: null }, agent('full'), roster('read'))).toBeNull()
  })

  test("the board's reviewer may review, but not run, a card created by a run", () => {
    const review = { ...written, status: 'review' as const }
    expect(causeForCardApproval(review, agent('full'), roster('read'))).toBeNull()
    expect(causeForCardApproval({ ...review, reviewer: 'boss' }, agent('full'), roster('read'))).toBe('wider')
    expect(causeForCardApproval(review, agent('read', { harness: 'shell' }), roster('read'))).toBe('script')
  })
})
