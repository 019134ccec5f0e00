import { queryOptions } from '@tanstack/react-query'
import type { Outputs } from '../../../../src/client/index.ts'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'

export type Diff = Outputs['diff']
export type ChangedFile = Diff['files'][number]

/** The maximum number of files in the list. */
export const FILES_MAX = 1_000
/** Requests this many unchanged lines around each change, so that the patch contains the whole file. */
const WHOLE = 100_000

interface Asked {
  readonly task: string
  readonly ignoresSpace: boolean
}

/** Reads the list of changed files. Its key belongs to the card, so every event of the card refreshes it. */
export const filesQuery = ({ task, ignoresSpace }: Asked) =>
  queryOptions({
    queryKey: [...keys.card(task), 'diff', ignoresSpace],
    queryFn: ({ signal }) => client.diff({ task, limit: FILES_MAX, ...space(ignoresSpace) }, { signal }),
    retry: false,
  })

const space = (ignoresSpace: boolean) => (ignoresSpace ? { ignoresSpace } : {})

interface FileAsked extends Asked {
  /** The two commits that the list compares. The lines use the same commits. */
  readonly range: string
  readonly path: string
  readonly from: string | null
  readonly isWhole: boolean
}

/** Reads the lines of one file between two commits, which never change. */
export const fileQuery = ({ task, ignoresSpace, range, path, from, isWhole }: FileAsked) =>
  queryOptions({
    queryKey: ['diff', task, range, path, ignoresSpace, isWhole],
    queryFn: ({ signal }) =>
      client.diff(
        {
          task,
          range,
          file: path,
          ...space(ignoresSpace),
          ...(from !== null && { from }),
          ...(isWhole && { context: WHOLE }),
        },
        { signal },
      ),
    retry: false,
    gcTime: 60_000,
  })

/** Finds the files that contain a text in a changed line. */
export const findQuery = ({
  task,
  range,
  find,
}: {
  readonly task: string
  readonly range: string
  readonly find: string
}) =>
  queryOptions({
    queryKey: ['diff', task, range, 'find', find],
    queryFn: async ({ signal }) => (await client.diff({ task, range, find, limit: 1 }, { signal })).matching ?? [],
    retry: false,
    gcTime: 60_000,
  })
