import type * as z from 'zod'
import type { ModelRole } from '../../config/models.ts'

export type { ModelRole }

/** The tokens and the price of an answer. A number that the model does not report is null. */
export interface ModelUsage {
  readonly model: string
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly costUsd: number | null
}

export interface ModelQuestion<T> {
  /** The instructions for the model. */
  readonly instructions: string
  /** The text to work on. */
  readonly input: string
  /** The schema of the answer. It is sent to the model as a JSON schema. */
  readonly schema: z.ZodType<T>
  readonly signal: AbortSignal
}

/**
 * The reasons why a question has no answer:
 *
 * - `unconfigured`: config.yaml sets no usable model for the role.
 * - `unreachable`, `timed_out`, `rate_limited`: a retry may succeed.
 * - `auth`: the key or the login is missing or not valid.
 * - `refused`: the endpoint or the model refused the request.
 * - `bad_answer`: the answer was not valid, and neither was the corrected answer.
 */
export type ModelFailureKind =
  'unconfigured' | 'unreachable' | 'timed_out' | 'rate_limited' | 'auth' | 'refused' | 'bad_answer'

export interface ModelFailure {
  readonly ok: false
  readonly kind: ModelFailureKind
  /** A sentence with the cause and the remedy. */
  readonly message: string
  /** The usage of the requests before the failure. Null means that no request reported its usage. */
  readonly usage: ModelUsage | null
}

export type ModelAnswer<T> = { readonly ok: true; readonly value: T; readonly usage: ModelUsage } | ModelFailure

export interface Model {
  /** Answers a question. Rejects only if the signal aborts. */
  ask<T>(question: ModelQuestion<T>): Promise<ModelAnswer<T>>
}

/** A message of the conversation with a model. */
export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

export interface Exchange {
  readonly instructions: string
  readonly turns: readonly Turn[]
  readonly jsonSchema: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
}

export type Reply = { readonly ok: true; readonly text: string; readonly usage: ModelUsage } | ModelFailure

/** Sends a conversation to one model and returns its reply as text. */
export interface Transport {
  /** The name of the model in messages. */
  readonly label: string
  send(exchange: Exchange): Promise<Reply>
}

export const failure = (kind: ModelFailureKind, message: string, usage: ModelUsage | null = null): ModelFailure => ({
  ok: false,
  kind,
  message,
  usage,
})
