/**
 * The output of each agent CLI for the same run, which has a message, a command that fails, a changed file and a final
 * message.
 */
const lines = (...values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')

const claudeSays = (...content: readonly object[]): object => ({ type: 'assistant', message: { content } })
const claudeHears = (content: object): object => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', ...content }] },
})

export const STREAMS = {
  claude: lines(
    { type: 'system', subtype: 'init', session_id: 's-1', tools: ['Bash'] },
    claudeSays({ type: 'thinking', thinking: 'hm' }),
    claudeSays({ type: 'text', text: 'I look first.' }),
    claudeSays({ type: 'tool_use', id: '1', name: 'Bash', input: { command: 'npm test', description: 'Run tests' } }),
    claudeHears({ tool_use_id: '1', is_error: true, content: 'Exit code 1\nno tests' }),
    claudeSays({ type: 'tool_use', id: '2', name: 'Write', input: { file_path: '/w/a.txt', content: 'hi' } }),
    claudeHears({ tool_use_id: '2', content: [{ type: 'text', text: 'File created' }] }),
    claudeSays({ type: 'text', text: 'all done' }),
    { type: 'result', total_cost_usd: 0.003, usage: { input_tokens: 300, output_tokens: 60 } },
  ),
  codex: lines(
    { type: 'thread.started', thread_id: 's-1' },
    { type: 'turn.started' },
    { type: 'item.completed', item: { type: 'agent_message', text: 'I look first.' } },
    { type: 'item.started', item: { type: 'command_execution', command: "/bin/bash -lc 'npm test'" } },
    {
      type: 'item.completed',
      item: { type: 'command_execution', aggregated_output: 'Exit code 1\nno tests', exit_code: 1 },
    },
    { type: 'item.completed', item: { type: 'file_change', changes: [{ path: '/w/a.txt', kind: 'add' }] } },
    { type: 'item.completed', item: { type: 'agent_message', text: 'all done' } },
    { type: 'turn.completed', usage: { input_tokens: 300, output_tokens: 60 } },
  ),
  gemini: lines(
    { type: 'init', session_id: 's-1', model: 'auto' },
    { type: 'message', role: 'user', content: 'the briefing' },
    { type: 'message', role: 'assistant', content: 'I look first.' },
    { type: 'tool_use', tool_name: 'run_shell_command', tool_id: '1', parameters: { command: 'npm test' } },
    { type: 'tool_result', tool_id: '1', status: 'error', output: 'Exit code 1\nno tests' },
    { type: 'tool_use', tool_name: 'write_file', tool_id: '2', parameters: { file_path: '/w/a.txt', content: 'hi' } },
    { type: 'tool_result', tool_id: '2', status: 'success' },
    { type: 'message', role: 'assistant', content: 'all done' },
    { type: 'result', status: 'success', stats: { input_tokens: 300, output_tokens: 60 } },
  ),
  hermes: lines(
    { type: 'system', subtype: 'init', session_id: 's-1', model: 'auto' },
    { type: 'text', text: 'I look ' },
    { type: 'text', text: 'first.' },
    { type: 'tool_use', name: 'terminal', tool_call_id: '1', input: { command: 'npm test' } },
    { type: 'tool_result', name: 'terminal', tool_call_id: '1', output: 'Exit code 1\nno tests', is_error: true },
    { type: 'tool_use', name: 'write_file', tool_call_id: '2', input: { path: '/w/a.txt', content: 'hi' } },
    { type: 'tool_result', name: 'write_file', tool_call_id: '2', output: 'ok', is_error: false },
    { type: 'text', text: 'all done' },
    { type: 'result', session_id: 's-1', exit_code: 0, text: 'all done', tokens: { input: 300, output: 60 } },
  ),
  opencode: lines(
    { type: 'step_start', sessionID: 's-1', part: {} },
    { type: 'text', sessionID: 's-1', part: { text: 'I look first.' } },
    {
      type: 'tool_use',
      sessionID: 's-1',
      part: {
        tool: 'bash',
        state: { status: 'error', input: { command: 'npm test' }, error: 'Exit code 1\nno tests' },
      },
    },
    { type: 'step_finish', sessionID: 's-1', part: { tokens: { input: 100, output: 20 }, cost: 0.001 } },
    {
      type: 'tool_use',
      sessionID: 's-1',
      part: {
        tool: 'write',
        state: {
          status: 'completed',
          input: { filePath: '/w/a.txt' },
          output: 'Wrote file',
          metadata: { filepath: '/w/a.txt' },
        },
      },
    },
    { type: 'text', sessionID: 's-1', part: { text: 'all done' } },
    { type: 'step_finish', sessionID: 's-1', part: { tokens: { input: 200, output: 40 }, cost: 0.002 } },
  ),
} as const
