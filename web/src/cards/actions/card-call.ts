/**
 * One change of a card, as the server expects it, and its result. Equal changes of several cards are sent as one
 * request.
 */
import { ClientError } from '../../../../src/client/index.ts'
import type { Inputs } from '../../../../src/client/index.ts'
import { client } from '../../api/client.ts'
import { asClientError } from '../../api/errors.ts'

/** The routes that can change several cards with one request. */
const MANY = [
  'approve',
  'archive',
  'assign',
  'block',
  'complete',
  'delete',
  'edit',
  'hold',
  'promote',
  'reclaim',
  'release',
  'reopen',
  'requestReview',
  'schedule',
  'stop',
  'unarchive',
  'unblock',
  'undelete',
] as const
const SINGLE = ['answer', 'requestChanges', 'reorder', 'update'] as const

type ManyName = (typeof MANY)[number]
export type CallName = ManyName | (typeof SINGLE)[number]

export type CardCall = {
  readonly [N in CallName]: { readonly name: N; readonly input: Omit<Inputs[N], 'task'> }
}[CallName]

export interface CallOn {
  readonly id: string
  readonly call: CardCall
}

/** The result of a call. `isPending`: the card changes when its run ends. */
export type CallResult =
  | { readonly id: string; readonly ok: true; readonly isPending: boolean }
  | { readonly id: string; readonly ok: false; readonly error: ClientError }

const isMany = (name: CallName): name is ManyName => MANY.some((one) => one === name)

/** Groups calls that have the same route and input. Their order stays the same. */
export function groupCalls(
  calls: readonly CallOn[],
): readonly { readonly call: CardCall; readonly ids: readonly string[] }[] {
  const groups = new Map<string, { call: CardCall; ids: string[] }>()
  for (const { id, call } of calls) {
    const key = `${call.name} ${JSON.stringify(call.input)}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { call, ids: [id] })
    else group.ids.push(id)
  }
  return [...groups.values()]
}

const refused = (id: string, error: ClientError): CallResult =>
  error.code === 'pending' ? { id, ok: true, isPending: true } : { id, ok: false, error }

async function sendOne(id: string, { name, input }: CardCall): Promise<CallResult> {
  // The cast is safe, because the input belongs to the route with this name.
  const send = client[name] as (input: object) => Promise<unknown>
  try {
    await send({ ...input, task: id })
    return { id, ok: true, isPending: false }
  } catch (error) {
    return refused(id, asClientError(error))
  }
}

async function sendMany(ids: readonly string[], name: ManyName, input: object): Promise<readonly CallResult[]> {
  const send = client.many[name] as (input: object) => ReturnType<typeof client.many.archive>
  try {
    const results = await send({ ...input, tasks: ids })
    return results.map((result) =>
      result.ok
        ? { id: result.id, ok: true, isPending: false }
        : refused(
            result.id,
            new ClientError(result.error.code, result.error.detail, { status: null, ...result.error }),
          ),
    )
  } catch (error) {
    return ids.map((id) => refused(id, asClientError(error)))
  }
}

/** Sends the calls one after another, and returns one result for each card. */
export async function sendCalls(calls: readonly CallOn[]): Promise<readonly CallResult[]> {
  const results: CallResult[] = []
  for (const { call, ids } of groupCalls(calls)) {
    const [first] = ids
    if (ids.length > 1 && isMany(call.name)) results.push(...(await sendMany(ids, call.name, call.input)))
    else if (ids.length === 1 && first !== undefined) results.push(await sendOne(first, call))
    else for (const id of ids) results.push(await sendOne(id, call))
  }
  return results
}
