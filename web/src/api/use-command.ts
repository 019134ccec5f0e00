/**
 * Runs a command on the server. If core can predict the result, the page shows it before the server answers. If the
 * server refuses the command, the old state returns, and `onRefusal` gets the error.
 */
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { ClientError } from '../../../src/client/index.ts'
import { asClientError, notConnected } from './errors.ts'
import { isLive } from './live-state.ts'

/** A predicted change of one cached query. Returns the same object if nothing changes. */
export interface Prediction {
  readonly key: QueryKey
  readonly change: (data: unknown) => unknown
}

/** Makes a prediction whose type matches its query. */
export const predict = <Data>(key: QueryKey, change: (data: Data) => Data): Prediction => ({
  key,
  // The cast is safe, because the key belongs to a query of this type.
  change: (data) => (data === undefined ? undefined : change(data as Data)),
})

interface Command<Input, Output> {
  readonly run: (input: Input) => Promise<Output>
  /** The cards that the command changes. While the command runs, these cards show that they are being saved. */
  readonly cards?: (input: Input) => readonly string[]
  /** Returns the predicted changes. It is set only if core can predict the result. */
  readonly predict?: (input: Input) => readonly Prediction[]
  /** Further queries to read again after the command. The event stream refreshes all others. */
  readonly refresh?: (input: Input) => readonly QueryKey[]
  readonly onDone?: (output: Output, input: Input) => void
  readonly onRefusal?: (error: ClientError, input: Input) => void
}

type Saved = readonly (readonly [QueryKey, unknown])[]

async function applyPredictions(client: QueryClient, predictions: readonly Prediction[]): Promise<Saved> {
  // Requests from before the command are cancelled, because their answers would undo the prediction.
  await Promise.all(predictions.map(({ key }) => client.cancelQueries({ queryKey: key, exact: true })))
  return predictions.map(({ key, change }) => {
    const before: unknown = client.getQueryData(key)
    client.setQueryData(key, change(before))
    return [key, before] as const
  })
}

export function useCommand<Input, Output>({
  run,
  cards = () => [],
  predict: predictions = () => [],
  refresh = () => [],
  onDone,
  onRefusal,
}: Command<Input, Output>) {
  const client = useQueryClient()
  return useMutation<Output, unknown, Input, Saved>({
    mutationKey: ['command'],
    meta: { cards },
    mutationFn(input) {
      if (!isLive()) throw notConnected()
      return run(input)
    },
    onMutate: (input) => applyPredictions(client, predictions(input)),
    onSuccess: (output, input) => onDone?.(output, input),
    onError(error, input, saved) {
      for (const [key, before] of saved ?? []) client.setQueryData(key, before)
      onRefusal?.(asClientError(error), input)
    },
    onSettled: (_output, _error, input, saved) =>
      Promise.all(
        [...refresh(input), ...(saved ?? []).map(([key]) => key)].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  })
}

/** Returns the cards that a command is changing now. */
export function useSavingCards(): ReadonlySet<string> {
  const ids = useMutationState({
    filters: { mutationKey: ['command'], status: 'pending' },
    select({ options, state }) {
      const cardsOf = options.meta?.['cards'] as ((input: unknown) => readonly string[]) | undefined
      return cardsOf?.(state.variables) ?? []
    },
  })
  return new Set(ids.flat())
}
