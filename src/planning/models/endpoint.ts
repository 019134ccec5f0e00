/** Asks a model through an HTTP endpoint that is compatible with OpenAI's chat completions. */
import { durationText } from '../../core/duration.ts'
import { firstLine } from '../../core/text.ts'
import type { EndpointChoice } from '../../config/models.ts'
import { asAmount, asCount, asList, asObject, asText, objectIn, textIn } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'
import { failure } from './answer.ts'
import type { Exchange, ModelFailure, ModelUsage, Reply, Transport } from './answer.ts'
import { postJson } from './post-json.ts'
import type { PostResult } from './post-json.ts'

type Mode = 'json_schema' | 'plain'

export function endpointModel(choice: EndpointChoice, key: string | null): Transport {
  const label = `The model ${choice.model} at ${choice.url}`
  // How the schema is sent. After a server has refused a JSON schema, later questions no longer send one.
  let mode: Mode = 'json_schema'
  const post = (exchange: Exchange): Promise<PostResult> =>
    postJson(`${choice.url}/chat/completions`, bodyFor(choice.model, exchange, mode), {
      headers: key === null ? {} : { authorization: `Bearer ${key}` },
      timeoutMs: choice.timeoutMs,
      signal: exchange.signal,
    })
  const send = async (exchange: Exchange): Promise<Reply> => {
    let result = await post(exchange)
    if (mode === 'json_schema' && 'status' in result && NO_SCHEMA.includes(result.status)) {
      mode = 'plain'
      result = await post(exchange)
    }
    return replyFrom(result, { choice, label, key })
  }
  return { label, send }
}

/** The HTTP statuses of servers that do not support a JSON schema in the request. */
const NO_SCHEMA: readonly number[] = [400, 404, 415, 422, 501]

const bodyFor = (model: string, { instructions, turns, jsonSchema: schema }: Exchange, mode: Mode): object => ({
  model,
  messages: [{ role: 'system', content: instructions }, ...turns.map(({ role, text }) => ({ role, content: text }))],
  ...(mode === 'plain' ? {} : { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } }),
})

interface Asked {
  readonly choice: EndpointChoice
  readonly label: string
  readonly key: string | null
}

function replyFrom(result: PostResult, { choice, label, key }: Asked): Reply {
  const { section } = choice
  if ('fault' in result)
    return result.fault === 'timeout'
      ? failure(
          'timed_out',
          `${label} gave no answer within ${durationText(choice.timeoutMs)}. Raise ${section}.timeout, or choose a faster model.`,
        )
      : result.fault === 'too_large'
        ? failure('bad_answer', `${label} sent an answer that is too large. Try again, or choose another model.`)
        : failure(
            'unreachable',
            `${label} cannot be reached (${result.fault}). Check that it runs, and check ${section}.url.`,
          )
  const body = objectIn(result.body.trim())
  if (result.status !== 200) return refusal(result, { choice, label, key, body })
  const [first] = asList(body?.['choices'])
  const message = asObject(asObject(first)?.['message'])
  if (body === null || message === null)
    return failure('refused', `${label} sent no chat completion. Check ${section}.url: it usually ends with /v1.`)
  const usage = usageIn(body, choice.model)
  const refused = asText(message['refusal'])
  const ending = asObject(first)?.['finish_reason']
  if (refused !== null || ending === 'content_filter')
    return failure(
      'refused',
      `${label} refused to answer${said(refused, key)}. Change the card, or choose another model.`,
      usage,
    )
  if (ending === 'length')
    return failure(
      'bad_answer',
      `${label} reached its output limit before the answer was complete. Choose another model.`,
      usage,
    )
  return { ok: true, text: textIn(message['content']), usage }
}

function refusal(
  { status, location }: Extract<PostResult, { status: number }>,
  { choice, label, key, body }: Asked & { readonly body: Fields | null },
): ModelFailure {
  const { section, keyEnv } = choice
  const why = said(
    asText(asObject(body?.['error'])?.['message']) ?? asText(body?.['error']) ?? asText(body?.['message']),
    key,
  )
  if (status >= 300 && status < 400)
    return failure('unreachable', `${label} redirects to ${hostOf(location)}. Set ${section}.url to its final address.`)
  if (status === 401 || status === 403)
    return failure(
      'auth',
      keyEnv === null
        ? `${label} needs a key. Name its variable in ${section}.keyEnv.`
        : `${label} refused the key in ${keyEnv}${why}. Set a valid key where Muster runs.`,
    )
  if (status === 429 || status === 402)
    return failure('rate_limited', `${label} has reached a limit${why}. Try again later, or choose another model.`)
  if (status === 408 || status === 504)
    return failure('timed_out', `${label} gave no answer in time (HTTP ${status}). Try again.`)
  if (status >= 500) return failure('unreachable', `${label} has a problem: HTTP ${status}${why}. Try again later.`)
  return failure(
    'refused',
    `${label} refused the request: HTTP ${status}${why}. Check ${section}.model and ${section}.url.`,
  )
}

/** Quotes the error message of the server and removes the key, because some servers repeat the key. */
function said(text: string | null, key: string | null): string {
  const line = firstLine(key === null ? text : text?.replaceAll(key, '…'), 300).replace(/\.$/, '')
  return line === '' ? '' : ` (${line})`
}

const hostOf = (location: string | null): string =>
  location !== null && URL.canParse(location) ? new URL(location).host : 'another address'

/** Reads the usage from a reply. Some gateways add the price. */
function usageIn(body: Fields, asked: string): ModelUsage {
  const usage = asObject(body['usage']) ?? {}
  return {
    model: asText(body['model']) ?? asked,
    inputTokens: asCount(usage['prompt_tokens']),
    outputTokens: asCount(usage['completion_tokens']),
    costUsd: asAmount(usage['cost']),
  }
}
