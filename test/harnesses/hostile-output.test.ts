// Tests that a run can be settled with any output of its program: invalid numbers, text that cannot be stored, deep
// nesting.
import { expect, test } from 'vitest'
import { settleInput } from '../../src/core/transitions/settlement/input.ts'
import { newRunId, newTaskId } from '../../src/util/mint.ts'
import { loadHarness } from '../../src/harnesses/index.ts'
import { EMPTY_SUMMARY, addEntry } from '../../src/harnesses/stream/turn-summary.ts'
import { classifyEnding } from '../../src/harnesses/stream/classify-ending.ts'
import { jobFor } from './job.ts'

const nested = (depth: number): string => `${'{"content":'.repeat(depth)}"x"${'}'.repeat(depth)}`
const listed = (depth: number): string => `${'['.repeat(depth)}"x"${']'.repeat(depth)}`
const result = (fields: string): string => `{"type":"result","is_error":true,"api_error_status":429,${fields}}`
const refused = (resetsAt: string): string =>
  `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":${resetsAt}}}`
const failedTurn = (message: string): string => JSON.stringify({ type: 'turn.failed', error: { message } })
const returned = (content: string): string =>
  `{"type":"user","message":{"content":[{"type":"tool_result","content":${content}}]}}`
const limited = (after: string): string =>
  `{"type":"error","error":{"name":"APIError","data":{"statusCode":429,"message":"m","responseHeaders":{"retry-after":"${after}"}}}}`
const refusedBy = (data: string): string => `{"acp":"failed","code":429,"message":"no","data":${data}}`

const PRINTED: readonly (readonly [harness: string, line: string])[] = [
  [
    'claude',
    '{"type":"system","subtype":"api_retry","error_status":429,"retry_delay_ms":538.337,"error":"rate_limit"}',
  ],
  ...['1e20', '1e308', '-5', '"1790000000"', 'null'].map((at) => ['claude', refused(at)] as const),
  ['claude', result('"result":"a\\u0000b"')],
  ['claude', result('"result":"a\\ud800b"')],
  ['claude', result(`"result":"${'x'.repeat(1_999)}😀"`)],
  ['claude', result('"usage":{"input_tokens":1e300,"output_tokens":-5},"total_cost_usd":1e400')],
  ['claude', result('"usage":{"input_tokens":"5","output_tokens":9007199254740993},"total_cost_usd":"NaN"')],
  ['claude', returned(nested(10_000))],
  ['claude', returned(listed(10_000))],
  [
    'claude',
    '{"__proto__":{"type":"result"},"type":"assistant","message":{"content":[{"__proto__":{"type":"text"}}]}}',
  ],
  ['claude', `{"type":"assistant","message":{"content":[{"type":"text","text":"😀${'x'.repeat(16_383)}"}]}}`],
  ['claude', '{"type":"assistant","message":{"content":[{"type":"text","text":"a\\u0000\\udc00"}]}}'],
  ['codex', failedTurn('last status: 429, try again in 8.0715s')],
  ['codex', failedTurn('last status: 429, try again in 999999999999d')],
  ['codex', failedTurn(`last status: 429, try again in ${'9'.repeat(400)}s`)],
  ['codex', failedTurn('You have hit your usage limit, try again at Feb 31st, 0000 5:20 PM.')],
  ['codex', `{"type":"turn.failed","error":${nested(10_000)}}`],
  ['codex', '{"type":"turn.completed","usage":{"input_tokens":1e17,"output_tokens":1.5}}'],
  ...['1.2345', '1e30', '-99999999999999', '', 'soon'].map((after) => ['opencode', limited(after)] as const),
  [
    'opencode',
    '{"type":"step_finish","part":{"tokens":{"input":9007199254740991,"cache":{"read":9007199254740991}},"cost":1e308}}',
  ],
  ['opencode', `timestamp=x level=ERROR ${'message="stream error" '.repeat(150_000)} small=fals`],
  ['gemini', 'Attempt 1 failed with status 429. Retrying after 99999999999999999999ms'],
  [
    'gemini',
    '{"type":"result","status":"error","error":{"message":"{\\"code\\": 429, \\"retryDelay\\": \\"0.0005s\\"}"}}',
  ],
  [
    'hermes',
    `{"type":"result","exit_code":1,"error":"${'maximum number of '.repeat(200_000)}","tokens":{"input":1e300}}`,
  ],
  ['acp', refusedBy('{"retryAfter":1.23456}')],
  ['acp', refusedBy('{"retryAfter":1e300}')],
  ['acp', refusedBy(nested(10_000))],
]

test.each(PRINTED.map(([harness, line]) => ({ harness, begins: line.slice(0, 90), line })))(
  'a $harness run can be settled after the line $begins',
  async ({ harness, line }) => {
    const readLine = (await loadHarness(harness))?.readLine ?? (() => [])
    const summary = [line, line].flatMap(readLine).reduce(addEntry, EMPTY_SUMMARY)
    const settled = settleInput.safeParse({
      task: newTaskId(),
      runId: newRunId(),
      by: { fence: { runId: newRunId(), tokenHash: 'hash' } },
      ending: classifyEnding({ how: 'exited', exitCode: 1 }, summary),
      usage: summary.usage,
      lastWords: summary.lastMessage,
    })
    expect(settled.error?.issues ?? []).toEqual([])
  },
)

test.each(['claude', 'codex', 'opencode', 'gemini', 'hermes'])(
  '%s does not resume a session whose id looks like an option',
  async (name) => {
    const harness = await loadHarness(name)
    for (const session of ['--dangerously-skip-permissions', 'a b', 'a\nb', 'a\0b', ''])
      expect(harness?.resume(jobFor(name), { message: 'go on', session }) ?? null).toBeNull()
  },
)
