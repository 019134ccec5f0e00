/** Adds the routes of the table to the app. */
import type { Context, Hono } from 'hono'
import { asBoardError, isDiskFull, BoardError } from '../../core/errors.ts'
import { isSlug } from '../../core/ids.ts'
import { scopeNeeded } from '../../operations/shared/access.ts'
import { operationNamed } from '../../operations/shared/perform.ts'
import type { AnyOperation } from '../../operations/shared/perform.ts'
import { runOperation } from '../context.ts'
import type { Call } from '../context.ts'
import { cutOffOf } from '../cut-off.ts'
import type { HttpEnv, HttpParts } from '../parts.ts'
import { problemOf } from '../problem.ts'
import { JSON_BYTES, LARGE_JSON_BYTES, readJson } from '../read-body.ts'
import { requireScope } from '../sign-in/identify.ts'
import { nextPage, withPage } from './pages.ts'
import { fieldsOf, inputFromQuery } from './read-input.ts'
import { RememberedAnswers } from './remembered-answers.ts'
import { isMatch, jsonResponse, refuseHead, sendAnswer, streamResponse } from './respond.ts'
import type { OperationName, Route } from './table.ts'

type Ctx = Context<HttpEnv>

export function mountRoutes(app: Hono<HttpEnv>, parts: HttpParts, routes: readonly Route[]): void {
  for (const route of routes) {
    const operation = operationOf(route.operation)
    const { remember } = route
    const remembered = remember === undefined ? null : new RememberedAnswers(parts.target.options.home, remember)
    app.on(route.method.toUpperCase(), route.path, (c) => answer(c, parts, { route, operation, remembered }))
    if (route.many === true) app.on('POST', pathOfMany(route), (c) => answerMany(c, parts, { route, operation }))
  }
}

/** The path for several cards: `/api/tasks/:task/archive` becomes `/api/tasks/archive`. */
export const pathOfMany = ({ path }: Pick<Route, 'path'>): string => path.replace('/:task', '')

function operationOf(name: OperationName): AnyOperation {
  const operation = operationNamed(name)
  if (operation === undefined) throw new BoardError('internal', `There is no operation ${name}.`)
  return operation
}

interface Routed {
  readonly route: Route
  readonly operation: AnyOperation
}

async function answer(
  c: Ctx,
  parts: HttpParts,
  { route, operation, remembered }: Routed & { readonly remembered: RememberedAnswers | null },
): Promise<Response> {
  const call = await readCall(c, parts, { route, operation })
  if (operation.kind === 'stream') return answerStream(c, parts, { operation, call })
  const revision = c.get('revision')
  if (remembered !== null && revision !== null && c.req.method === 'GET') {
    const key = JSON.stringify([call.board, call.input])
    return sendAnswer(c, await remembered.answer(key, revision, () => runOperation(parts, operation, call)))
  }
  const guard = await readGuard(c, parts, { route, call })
  const output = await runOperation(parts, operation, { ...call, input: { ...call.input, ...guard } })
  const headers = nextPage(c.req.url, route, { input: call.input, output })
  return jsonResponse(c, output, { headers, ...(route.status !== undefined && { status: route.status }) })
}

/**
 * Checks the If-Match header. The operation compares `updatedAt` again in its transaction, so a change between the two
 * checks is not overwritten.
 */
async function readGuard(
  c: Ctx,
  parts: HttpParts,
  { route: { ifMatch }, call }: { readonly route: Route; readonly call: Call },
): Promise<Readonly<Record<string, unknown>>> {
  const header = c.req.header('if-match')
  if (header === undefined || ifMatch === undefined) return {}
  const { task } = call.input
  const current = (await runOperation(parts, operationOf(ifMatch), { ...call, input: { task } })) as {
    readonly id: string
    readonly updatedAt: number
  }
  if (isMatch(header, current)) return { unchangedSince: current.updatedAt }
  throw new BoardError('card_changed', `Card ${current.id} has changed since you read it: read it again.`, {
    details: { id: current.id, updatedAt: current.updatedAt },
  })
}

async function answerStream(
  c: Ctx,
  parts: HttpParts,
  { operation, call }: { readonly operation: AnyOperation; readonly call: Call },
): Promise<Response> {
  refuseHead(c)
  const access = parts.streams.open(call.caller)
  const signal = AbortSignal.any([call.signal(), access.signal])
  try {
    const values = (await runOperation(parts, operation, { ...call, signal: () => signal })) as AsyncIterable<unknown>
    return await streamResponse(values, { signal, cutOff: cutOffOf(c), onEnd: access.close })
  } catch (error) {
    access.close()
    throw error
  }
}

function refuseFieldsOfOne({ onlyForOne = [] }: Route, input: Readonly<Record<string, unknown>>): void {
  const field = onlyForOne.find((name) => input[name] != null)
  if (field === undefined) return
  throw new BoardError('invalid_input', `${field} is for one card: send a request for each card.`, {
    details: { field },
  })
}

/** Changes the cards one after the other in the given order, because a parent may have to be done before its child. */
async function answerMany(c: Ctx, parts: HttpParts, { route, operation }: Routed): Promise<Response> {
  const { input, ...call } = await readCall(c, parts, { route, operation })
  const { tasks, ...rest } = input
  const ids = requireIds(tasks)
  if (ids.size > 1) refuseFieldsOfOne(route, rest)
  const answers: unknown[] = []
  for (const task of ids) {
    answers.push(await answerOne(parts, operation, { ...call, input: { ...rest, task } }))
  }
  return jsonResponse(c, answers)
}

async function answerOne(parts: HttpParts, operation: AnyOperation, call: Call): Promise<unknown> {
  const id = String(call.input['task'])
  try {
    const task = (await runOperation(parts, operation, call)) as { readonly id?: string }
    return { id: task.id ?? id, ok: true, task }
  } catch (error) {
    if (error instanceof BoardError || isDiskFull(error))
      return { id, ok: false, error: problemOf(asBoardError(error)) }
    throw error
  }
}

const MOST_IDS = 500

function requireIds(tasks: unknown): ReadonlySet<string> {
  const ids: readonly unknown[] = Array.isArray(tasks) ? tasks : []
  const texts = ids.flatMap((id) => (typeof id === 'string' ? [id] : []))
  if (texts.length > 0 && texts.length === ids.length && ids.length <= MOST_IDS) return new Set(texts)
  throw new BoardError('invalid_input', `tasks must be a list of 1 to ${MOST_IDS} card ids.`, {
    details: { field: 'tasks' },
  })
}

async function readCall(c: Ctx, parts: HttpParts, { route, operation }: Routed): Promise<Call> {
  const caller = c.get('caller')
  requireScope(caller, scopeNeeded(operation))
  const fields = await fieldsOf(operation)
  const { board: boards = [], ...query } = c.req.queries()
  const board = boards.at(-1) ?? null
  if (board !== null && !isSlug(board))
    throw new BoardError('invalid_input', `${board} is not the name of a board.`, { details: { field: 'board' } })
  const given = isRead(route) ? inputFromQuery(query, fields) : await bodyOf(c, parts, route)
  const named = 'board' in fields && board !== null ? { board } : {}
  const input = { ...route.defaults, ...withPage(route, given), ...named, ...c.req.param(), ...route.fixed }
  return { caller, board, input, signal: () => AbortSignal.any([c.req.raw.signal, parts.stopping]) }
}

const isRead = ({ method }: Route): boolean => method === 'get' || method === 'delete'

async function bodyOf(c: Ctx, { bodies }: HttpParts, { large }: Route): Promise<Record<string, unknown>> {
  const body = await readJson(c, { bodies, mostBytes: large === true ? LARGE_JSON_BYTES : JSON_BYTES })
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>
  throw new BoardError('invalid_input', 'The body must be a JSON object.', { details: { field: null } })
}
