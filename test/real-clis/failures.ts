/**
 * What each maker of models says when it refuses, in its own words, and what must become of the run: each program puts it
 * into words of its own, and those are what the board hears.
 */
import type { Arena, Played } from './arena.ts'
import type { Cli } from './clis.ts'
import type { Failing, Said } from './dialects/dialect.ts'
import { RESET_S } from './reset.ts'

type Scene = Parameters<Arena['scene']>[1]

interface Refusal extends Pick<Scene, 'script' | 'agent'> {
  /** Of the recording. */
  readonly scene: string
  readonly outcome: Played['run']['outcome']
  /** What its account waits for; left out: it does not. */
  readonly waitsFor?: 'quota' | 'auth'
  /** Not where it is spoken with: it would try for minutes, and tell nobody. */
  readonly onlyStarted?: true
  /** Whether until a moment that was told: later than the board would wait by itself. */
  readonly until?: true
  /** Some of what a person reads in the end. */
  readonly error?: string
}

const COMPLETE: Said = { tool: 'kanban_complete', input: { summary: 'did it' } }

const says = (failing: Failing): Scene['script'] => [() => failing]
/** It begins to answer, and the line is dead. */
const TORN: Scene['script'] = [() => ({ text: 'I begin to', isTorn: true })]

const anthropic = (status: number, type: string, message: string): Scene['script'] =>
  says({ status, body: { type: 'error', error: { type, message } } })

const openAi = (status: number, code: string, message: string): Scene['script'] =>
  says({ status, body: { error: { message, type: code, param: null, code } }, headers: { 'retry-after': '1' } })

/** OpenAI tells some of it in the stream that it has begun. */
const inStream = (code: string, message: string): Scene['script'] => [
  () => ({
    events: [
      ['response.created', { type: 'response.created', response: { id: 'resp_1', status: 'in_progress' } }],
      ['response.failed', { type: 'response.failed', response: { id: 'resp_1', error: { code, message } } }],
    ],
  }),
]

const RPC = 'type.googleapis.com/google.rpc'

const google = (code: number, status: string, message: string, ...details: readonly object[]): Scene['script'] =>
  says({ status: code, body: { error: { code, message, status, details } } })

const quota = (quotaId: string): object => ({
  '@type': `${RPC}.QuotaFailure`,
  violations: [{ quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests', quotaId }],
})

const CRASHED = { outcome: 'crashed' } as const
const LIMITED = { outcome: 'rate_limited', waitsFor: 'quota' } as const
const USED_UP = 'You exceeded your current quota, please check your plan and billing details.'
const TOO_LONG = openAi(400, 'context_length_exceeded', "This model's maximum context length is 128000 tokens.")
const NO_SUCH_MODEL = 'The model `gpt-nothing` does not exist or you do not have access to it.'

const REFUSALS: Readonly<Record<Cli, (arena: Arena) => readonly Refusal[]>> = {
  claude: ({ setup }) => [
    {
      ...LIMITED,
      scene: 'rate-limited-until',
      until: true,
      agent: { env: ['ANTHROPIC_BASE_URL', 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_MAX_RETRIES', 'IS_SANDBOX'] },
      script: says({
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
      script: says({
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
    // It shortens the conversation, and goes on; if that is of no use, for ever.
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
      onlyStarted: true,
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

const DOUBTED_MS = 3_600_000

/** What is not as it must be, in a sentence; none when all is. */
export async function proveRefusals(arena: Arena): Promise<readonly string[]> {
  const faults: string[] = []
  // What arguments and settings of a program do, they do not do to one that is spoken with.
  const isStarted = arena.agent === arena.cli
  const refusals = REFUSALS[arena.cli](arena).filter(
    ({ agent, onlyStarted = agent !== undefined }) => isStarted || !onlyStarted,
  )
  for (const { scene, script, agent, ...expected } of refusals) {
    const how = agent === undefined ? {} : { agent }
    const { run } = await arena.scene(scene, { script, flags: ['--max-retries', '1'], ...how })
    const account = await arena.account()
    const until = account?.until ?? 0
    const isSame =
      run.outcome === expected.outcome &&
      (account?.cause ?? null) === (expected.waitsFor ?? null) &&
      (expected.until === undefined || until > Date.now() + DOUBTED_MS) &&
      (run.error ?? '').includes(expected.error ?? '')
    if (!isSame) faults.push(`${scene} ended ${run.outcome} (account: ${account?.cause}, ${until}): ${run.error}`)
  }
  return faults
}
