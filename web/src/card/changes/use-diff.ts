/**
 * The state of the tab Changes: the open files, the loaded lines, and the files that the reader has marked as viewed.
 */
import { useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useSettled } from '../../app-state/use-settled.ts'
import { inTreeOrder } from './file-tree.ts'
import { flatItems } from './flat-items.ts'
import type { FlatItem } from './flat-items.ts'
import type { DiffView } from './diff-rows.ts'
import { fileQuery, filesQuery, findQuery } from './queries.ts'
import type { ChangedFile } from './queries.ts'
import { isViewed, keepViewed, readViewed, withViewed } from './viewed.ts'

/** The lines of at most this many files are kept in memory. */
const LOADED_MAX = 60
const TYPING_MS = 250
const NO_GAPS: ReadonlySet<number> = new Set()

export interface DiffOptions {
  readonly task: string
  readonly view: DiffView
  readonly ignoresSpace: boolean
  readonly find: string
}

export function useDiff({ task, view, ignoresSpace, find: typed }: DiffOptions) {
  const list = useQuery(filesQuery({ task, ignoresSpace }))
  const range = list.data?.range ?? ''
  const find = useSettled(typed.trim(), TYPING_MS)
  const matching = useQuery({ ...findQuery({ task, range, find }), enabled: find !== '' && range !== '' }).data
  const files = useMemo(() => {
    const all = inTreeOrder(list.data?.files ?? [])
    if (find === '') return all
    const found = new Set(matching ?? [])
    const needle = find.toLowerCase()
    return all.filter(({ path }) => found.has(path) || path.toLowerCase().includes(needle))
  }, [list.data, find, matching])

  const [viewed, setViewed] = useState(() => readViewed(task))
  const [folded, setFolded] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [gaps, setGaps] = useState<ReadonlyMap<string, ReadonlySet<number>>>(new Map())
  const [wanted, setWanted] = useState<readonly string[]>([])
  const formerPaths = useMemo(() => new Map(list.data?.files.map(({ path, from }) => [path, from])), [list.data])
  const loaded = useQueries({
    queries: wanted.map((path) =>
      fileQuery({ task, ignoresSpace, range, path, from: formerPaths.get(path) ?? null, isWhole: gaps.has(path) }),
    ),
  })

  const isOpen = (file: ChangedFile): boolean => folded.get(file.path) ?? !isViewed(viewed, file)
  const items: readonly FlatItem[] = flatItems(files, {
    view,
    isOpen,
    linesOf(path) {
      const query = loaded[wanted.indexOf(path)]
      const openGaps = gaps.get(path)
      return {
        data: query?.data,
        hasFailed: query?.isError === true,
        isWhole: openGaps !== undefined,
        openGaps: openGaps ?? NO_GAPS,
      }
    },
  })
  const want = useCallback(
    (paths: readonly string[]) =>
      setWanted((before) =>
        paths.every((path) => before.includes(path))
          ? before
          : [...new Set([...paths, ...before])].slice(0, LOADED_MAX),
      ),
    [],
  )
  return {
    list,
    /** The files to show, in the order of the tree. */
    files,
    items,
    find,
    isSearching: find !== '' && matching === undefined,
    viewed: {
      count: files.filter((file) => isViewed(viewed, file)).length,
      has: (file: ChangedFile) => isViewed(viewed, file),
    },
    want,
    retry: (path: string) => void loaded[wanted.indexOf(path)]?.refetch(),
    openGap: (path: string, at: number) =>
      setGaps((before) => new Map(before).set(path, new Set([...(before.get(path) ?? []), at]))),
    fold: (file: ChangedFile) => setFolded((before) => new Map(before).set(file.path, !isOpen(file))),
    foldAll: (isClosed: boolean) => setFolded(new Map(files.map(({ path }) => [path, !isClosed]))),
    setViewed(file: ChangedFile, is: boolean) {
      const next = withViewed(viewed, file, is)
      setViewed(next)
      keepViewed(task, next)
      setFolded((before) => new Map(before).set(file.path, !is))
    },
  }
}

export type DiffState = ReturnType<typeof useDiff>
