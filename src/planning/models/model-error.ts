import { BoardError } from '../../core/errors.ts'
import type { ErrorCode } from '../../core/errors.ts'
import type { ModelFailure, ModelFailureKind } from './answer.ts'

const CODES: Readonly<Record<ModelFailureKind, ErrorCode>> = {
  unconfigured: 'model_unconfigured',
  auth: 'model_unconfigured',
  refused: 'model_refused',
  bad_answer: 'model_refused',
  unreachable: 'model_unavailable',
  timed_out: 'model_unavailable',
  rate_limited: 'model_unavailable',
}

/** Converts the failure of a model into an error for the caller. */
export const modelError = ({ kind, message, usage }: ModelFailure): BoardError =>
  new BoardError(CODES[kind], message, { details: { failure: kind, usage } })
