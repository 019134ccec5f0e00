import { expect, test } from 'vitest'
import { ToolCalls } from '../../../src/harnesses/acp/tool-calls.ts'

const first = { sessionUpdate: 'tool_call', toolCallId: '1' }
const next = { sessionUpdate: 'tool_call_update', toolCallId: '1' }

test('a call is reported once at its start and once at its end', () => {
  // The reports have the order of OpenCode: the input comes later, and a title that contains the input comes later too.
  const calls = new ToolCalls()
  expect(calls.take({ ...first, title: 'bash', kind: 'execute', status: 'pending', rawInput: {} })).toEqual({})
  const running = { ...next, title: 'printf hi', status: 'in_progress', rawInput: { command: 'printf hi' } }
  expect(calls.take(running)).toEqual({ called: { tool: 'bash', input: { command: 'printf hi' } } })
  expect(calls.take(running)).toEqual({})
  const content = [{ type: 'content', content: { type: 'text', text: 'hi' } }]
  expect(calls.take({ ...next, status: 'completed', content })).toEqual({
    returned: { ok: true, text: 'hi', changed: [] },
  })
  expect(calls.take({ ...next, status: 'completed', content })).toEqual({})
})

test('a call whose first report comes at its end has its input and its result', () => {
  const calls = new ToolCalls()
  const report = {
    ...next,
    title: 'cat a.txt',
    kind: 'execute',
    status: 'failed',
    rawOutput: { output: 'no such file' },
  }
  expect(calls.take(report)).toEqual({
    called: { tool: 'execute', input: 'cat a.txt' },
    returned: { ok: false, text: 'no such file', changed: [] },
  })
})

test('a call that asks for permission is reported as started once', () => {
  const calls = new ToolCalls()
  const call = { toolCallId: '1', title: 'printf hi', kind: 'execute', status: 'pending' }
  expect(calls.takeRequest(call)).toMatchObject({
    called: { tool: 'execute', input: 'printf hi' },
    call: { kind: 'execute' },
  })
  expect(calls.takeRequest(call)).not.toHaveProperty('called')
  expect(calls.take({ ...next, status: 'completed', content: [] })).not.toHaveProperty('called')
})

test.each([
  ['the file of a diff', { content: [{ type: 'diff', path: '/w/a', newText: 'x' }], locations: [{ path: '/w/b' }] }],
  ['the location of an edit', { kind: 'edit', locations: [{ path: '/w/a' }, { path: '/w/a' }] }],
])('%s is reported as a changed file', (_, given) => {
  const report = new ToolCalls().take({ ...next, title: 'it', status: 'completed', ...given })
  expect(report.returned?.changed).toEqual(['/w/a'])
})

test('the input of a board tool can be given as text', () => {
  const content = [{ type: 'content', content: { type: 'text', text: '{"summary":"done"}' } }]
  const call = { toolCallId: '1', title: 'kanban_complete (muster MCP Server)', kind: 'other', content }
  expect(new ToolCalls().takeRequest(call).called).toEqual({ tool: 'kanban_complete', input: '{"summary":"done"}' })
})

test('a file that was only read is not a changed file', () => {
  const read = { ...next, title: 'it', kind: 'read', status: 'completed', locations: [{ path: '/w/a' }] }
  expect(new ToolCalls().take(read).returned?.changed).toEqual([])
})

test.each(['muster_kanban_show', 'mcp__muster__kanban_show', 'muster.kanban_show', 'kanban_show (muster MCP Server)'])(
  'the board tool %s is reported without the name of its server',
  (title) => {
    const report = new ToolCalls().take({ ...first, title, kind: 'other', status: 'in_progress' })
    expect(report.called?.tool).toBe('kanban_show')
  },
)

test('only the beginning of a long result is kept', () => {
  const content = [{ type: 'content', content: { type: 'text', text: 'x'.repeat(100_000) } }]
  const report = new ToolCalls().take({ ...next, title: 'it', status: 'completed', content })
  expect(report.returned?.text).toHaveLength(8_000)
})

test('calls without an id are not merged', () => {
  const calls = new ToolCalls()
  calls.takeRequest({ title: 'a.txt', kind: 'read' })
  expect(calls.takeRequest({ title: 'rm a.txt' }).call).toEqual({ title: 'rm a.txt' })
})
