/**
 * The refusals of each model provider in the provider's own words, and the outcome that the run must have. Each CLI
 * rephrases the refusal, and the adapter reads only the output of the CLI.
 */
import type { Testbed, FinishedRun } from './testbed.ts'
import type { Cli } from './clis.ts'
import type { FailureReply, ModelReply } from './dialects/dialect.ts'
import { RESET_S } from './reset.ts'

type ScriptedRun = Parameters<Testbed['scene']>[1]

interface Refusal extends Pick<ScriptedRun, 'script' | 'agent'> {
  /** The name of the recording. */
  readonly scene: string
  readonly outcome: FinishedRun['run']['outcome']
  /** The reason why the account is paused. If this is omitted, the account is not paused. */
  readonly waitsFor?: 'quota' | 'auth'
  /** Set if the refusal is not tested with ACP, because the CLI would retry for minutes without a report. */
  readonly notByAcp?: true
  /** Whether the pause lasts until the reported time, which is later than the board's own wait. */
  readonly until?: true
  /** A part of the error that a person sees. */
  readonly error?: string
}

const COMPLETE: ModelReply = { tool: 'kanban_complete', input: { summary: 'did it' } }

const failWith = (failure: FailureReply): ScriptedRun['script'] => [() => failure]
/** The model begins to answer, and then the connection ends. */
const TORN: ScriptedRun['script'] = [() => ({ text: 'I begin to', isTorn: true })]

const anthropic = (status: number, type: string, message: string): ScriptedRun['script'] =>
  failWith({ status, body: { type: 'error', error: { type, message } } })

const openAi = (status: number, code: string, message: string): ScriptedRun['script'] =>
  failWith({ status, body: { error: { message, type: code, param: null, code } }, headers: { 'retry-after': '1' } })

/** OpenAI reports some errors inside a stream that has begun. */
const inStream = (code: string, message: string): ScriptedRun['script'] => [
  () => ({
    events: [
      ['response.created', { type: 'response.created', response: { id: 'resp_1', status: 'in_progress' } }],
      ['response.failed', { type: 'response.failed', response: { id: 'resp_1', error: { code, message } } }],
    ],
  }),
]

const RPC = 'type.googleapis.com/google.rpc'

const google = (code: number, status: string, message: string, ...details: readonly object[]): ScriptedRun['script'] =>
  failWith({ status: code, body: { error: { code, message, status, details } } })

const quota = (quotaId: string): object => ({
  '@type': `${RPC}.QuotaFailure`,
  violations: [{ quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests', quotaId }],
})

const CRASHED = { outcome: 'crashed' } as const
const LIMITED = { outcome: 'rate_limited', waitsFor: 'quota' } as const
const USED_UP = 'You exceeded your current quota, please check your plan and billing details.'
const TOO_LONG = openAi(400, 'context_length_exceeded', "This model's maximum context length is 128000 tokens.")
const NO_SUCH_MODEL = 'The model `gpt-nothing` does not exist or you do not have access to it.'

const REFUSALS: Readonly<Record<Cli, (testbed: Testbed) => readonly Refusal[]>> = {
  claude: ({ setup }) => [
    {
      ...LIMITED,
      scene: 'rate-limited-until',
      until: true,
      agent: { env: ['ANTHROPIC_BASE_URL', 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_MAX_RETRIES', 'IS_SANDBOX'] },
      script: failWith({
        status: 429,
        body: { type: 'error', error: { type: 'rate_limit_error', message: 'This would exceed your rate limit.' } },
        headers: {
          'anthropic-ratelimit-unified-status': 'rejected',
          'anthropic-ratelimit-unified-reset': String(RESET_S),
          'anthropic-ratelimit-unified-representative-claim': 'five_hour',
          'anthropic-ratelimit-unified-overage-status': 'rejected',
        },
      }),
    },
    {
      ...LIMITED,
      scene: 'billing',
      script: anthropic(400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
      error: 'Credit balance is too low',
    },
    {
      ...CRASHED,
      scene: 'overflow',
      script: anthropic(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
      error: 'too long',
    },
    {
      outcome: 'timed_out',
      scene: 'turn-limit',
      script: [() => setup.shell('true')],
      agent: { args: ['--max-turns', '1'] },
    },
    { ...CRASHED, scene: 'no-such-model', script: anthropic(404, 'not_found_error', 'model: nothing'), error: 'model' },
    { ...CRASHED, scene: 'garbage', script: [() => ({ events: [[null, '{"never": closed']] })], error: 'malformed' },
  ],
  codex: () => [
    {
      ...LIMITED,
      scene: 'rate-limited-until',
      until: true,
      script: failWith({
        status: 429,
        body: {
          error: {
            type: 'usage_limit_reached',
            message: 'The usage limit has been reached',
            plan_type: 'pro',
            resets_at: RESET_S,
            resets_in_seconds: 86_400,
          },
        },
      }),
    },
    { ...LIMITED, scene: 'billing', script: openAi(429, 'insufficient_quota', USED_UP), error: 'billing details' },
    {
      ...LIMITED,
      scene: 'rate-limited-in-stream',
      script: inStream(
        'rate_limit_exceeded',
        'Rate limit reached for gpt-5 on tokens per min. Please try again in 1.5s.',
      ),
    },
    { ...LIMITED, scene: 'overloaded', script: inStream('server_is_overloaded', 'Overloaded'), error: 'at capacity' },
    {
      ...CRASHED,
      scene: 'overflow',
      script: inStream('context_length_exceeded', 'Your input exceeds the context window of this model.'),
      error: 'context window',
    },
    { ...CRASHED, scene: 'no-such-model', script: openAi(404, 'model_not_found', NO_SUCH_MODEL), error: 'gpt-nothing' },
    { ...CRASHED, scene: 'torn', script: TORN, error: 'disconnected' },
  ],
  opencode: () => [
    { ...LIMITED, scene: 'billing', script: openAi(402, 'insufficient_credits', 'Insufficient credits.') },
    // OpenCode shortens the conversation and continues. If the conversation is still too long, OpenCode shortens it
    // again and never stops.
    { outcome: 'completed', scene: 'overflow', script: [...TOO_LONG, () => COMPLETE, () => ({ text: 'all done' })] },
    { ...CRASHED, scene: 'overflow-for-ever', script: TOO_LONG, error: 'maximum context length' },
    { ...CRASHED, scene: 'no-such-model', script: openAi(404, 'model_not_found', NO_SUCH_MODEL), error: 'gpt-nothing' },
    {
      ...CRASHED,
      scene: 'unknown-model',
      script: [() => COMPLETE],
      agent: { args: ['--model', 'scripted/nothing'] },
      error: 'Model not found: scripted/nothing',
    },
  ],
  gemini: ({ setup }) => [
    {
      ...LIMITED,
      scene: 'rate-limited-until',
      notByAcp: true,
      script: google(
        429,
        'RESOURCE_EXHAUSTED',
        `${USED_UP} Please retry in 31.5s.`,
        quota('GenerateRequestsPerMinutePerProjectPerModel-FreeTier'),
        { '@type': `${RPC}.RetryInfo`, retryDelay: '31s' },
      ),
    },
    {
      ...LIMITED,
      scene: 'daily-quota',
      script: google(429, 'RESOURCE_EXHAUSTED', USED_UP, quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier')),
      error: 'daily quota',
    },
    {
      outcome: 'interrupted',
      waitsFor: 'auth',
      scene: 'key-not-valid',
      script: google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', {
        '@type': `${RPC}.ErrorInfo`,
        reason: 'API_KEY_INVALID',
      }),
    },
    {
      ...CRASHED,
      scene: 'overflow',
      script: google(
        400,
        'INVALID_ARGUMENT',
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      ),
      error: 'input token count',
    },
    {
      outcome: 'timed_out',
      scene: 'turn-limit',
      script: [() => setup.shell('true'), () => setup.shell('date')],
      agent: { env: ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_API_KEY', 'GEMINI_CLI_HOME'] },
    },
    {
      ...CRASHED,
      scene: 'no-such-model',
      script: google(404, 'NOT_FOUND', 'models/nothing is not found for API version v1beta.'),
      error: 'models/nothing',
    },
    { ...CRASHED, scene: 'torn', script: TORN },
  ],
}

/** A time in milliseconds that is longer than the wait of the board for an unknown reset time. */
const OWN_WAIT_MS = 3_600_000

/** Describes each refusal that did not have the expected outcome. */
export async function proveRefusals(testbed: Testbed): Promise<readonly string[]> {
  const faults: string[] = []
  // Arguments and settings of the CLI do not have the same effect with ACP.
  const isAcp = testbed.agent !== testbed.cli
  const refusals = REFUSALS[testbed.cli](testbed).filter(
    ({ agent, notByAcp = agent !== undefined }) => !isAcp || !notByAcp,
  )
  for (const { scene, script, agent, ...expected } of refusals) {
    const how = agent === undefined ? {} : { agent }
    const { run } = await testbed.scene(scene, { script, flags: ['--max-retries', '1'], ...how })
    const account = await testbed.account()
    const until = account?.until ?? 0
    const isSame =
      run.outcome === expected.outcome &&
      (account?.cause ?? null) === (expected.waitsFor ?? null) &&
      (expected.until === undefined || until > Date.now() + OWN_WAIT_MS) &&
      (run.error ?? '').includes(expected.error ?? '')
    if (!isSame) faults.push(`${scene} ended ${run.outcome} (account: ${account?.cause}, ${until}): ${run.error}`)
  }
  return faults
}
