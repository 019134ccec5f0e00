/** The changes of a worktree card since its branch started. The changes are the same before and after landing. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { BoardError, isDiskFull } from '../../core/errors.ts'
import { GitFault } from '../git/git-process.ts'
import { usersGit } from '../git/git.ts'
import type { Git } from '../git/git.ts'
import type { GitPlace } from '../git/git-place.ts'
import { parseChangedFiles } from './changed-files.ts'
import type { FileChange } from './changed-files.ts'
import { commitAt, landingNote } from './land-branch.ts'
import { placeOfWorktree, repositoryPlace } from '../git/repository.ts'
import { WorkspaceFault } from '../workspace-fault.ts'
import { readWorkTree } from '../git/work-tree-state.ts'

export interface DiffRequest {
  readonly home: string
  readonly card: string
  readonly repo: string
  readonly branch: string
  /** The path of the worktree's folder. The folder may not exist any more. */
  readonly path: string
  readonly base: string | null
  readonly baseBranch: string | null
  /** The commit of the card's branch that landed last. Null means that no commit has landed. */
  readonly landedTip: string | null
  readonly patch: boolean
  /** The only file to compare. The answer has the patch of this file. */
  readonly file?: string
  /** The former path of `file`, if the caller knows it. With this path, git compares only these two paths. */
  readonly from?: string | undefined
  /**
   * The two states of an earlier answer. With these states, files that changed later do not mix with the earlier
   * answer.
   */
  readonly range?: string | undefined
  /** The number of unchanged lines around each change. */
  readonly context?: number | undefined
  readonly ignoresSpace?: boolean | undefined
  /** Lists the files that have this text in a changed line. Upper and lower case are equal. */
  readonly find?: string | undefined
}

export interface WorkDiff {
  readonly base: string
  readonly head: string
  /** The two states that were compared, as `<base>..<tree>`. */
  readonly range: string
  readonly files: readonly FileChange[]
  /** The paths of the files that contain the text `find`. This is null without `find`. */
  readonly matching: readonly string[] | null
  /** The patch. Null means that the caller requested no patch, or that the patch of the file is too large. */
  readonly patch: string | null
  readonly isTooLarge: boolean
}

/** The maximum number of lines in the patch of one file. A longer patch is not shown. */
const LINES_MAX = 20_000
const BYTES_MAX = 2 * 1024 * 1024

const QUIET = ['--no-ext-diff', '--no-textconv', '--no-color'] as const
const INDEX = 'muster-diff-index'
const CONTEXT = 3
/**
 * The number of reads so far. It makes file names unique, because several requests of one server may read the same
 * worktree at once.
 */
let reads = 0

export async function diffWork(request: DiffRequest): Promise<WorkDiff> {
  const git = usersGit(request.home)
  const place = await repositoryPlace(git, request.repo)
  const { base, head, range } = await comparedStates(git, place, request)
  const options = [...QUIET, ...(request.ignoresSpace === true ? ['-w'] : [])]
  const compare = (...args: readonly string[]) => git.run(place, 'diff', '-M', ...options, ...args)
  const files = parseChangedFiles(await compare('--raw', '--numstat', '-z', ...range, ...onlyPaths(request)))
  const matching =
    request.find === undefined
      ? null
      : (await compare('--name-only', '-z', `-G${anyCase(request.find)}`, ...range)).split('\0').slice(0, -1)
  const found = { base, head, range: range.join('..'), matching }
  if (request.file !== undefined) {
    const file = requireFile(files, request)
    const lines = [...options, `-U${request.context ?? CONTEXT}`]
    return { ...found, files: [file], ...(await patchOf(git, place, { options: lines, range, file })) }
  }
  return { ...found, files, patch: request.patch ? await compare(...range) : null, isTooLarge: false }
}

/**
 * The paths to compare, for a file in a known state. Without a known state, git must see all files, to find a former
 * path.
 */
const onlyPaths = ({ range, file, from }: DiffRequest): readonly string[] =>
  range === undefined || file === undefined ? [] : ['--', ...[file, ...(from === undefined ? [] : [from])].map(literal)]

const literal = (path: string): string => `:(top,literal)${path}`

interface States {
  readonly base: string
  readonly head: string
  readonly range: readonly [string, string]
}

/** The merge base and the present files, or the two states that the request names. */
async function comparedStates(git: Git, place: GitPlace, request: DiffRequest): Promise<States> {
  const [from, to] = request.range?.split('..') ?? []
  if (from !== undefined && to !== undefined) return { base: from, head: to, range: [from, to] }
  const tip = (await commitAt(git, place, `refs/heads/${request.branch}`)) ?? request.landedTip
  if (tip === null)
    throw new BoardError(
      'diff_refused',
      `Branch ${request.branch} of ${request.card} does not exist: there is nothing to show.`,
    )
  const base = await baseOf(git, place, { ...request, tip })
  return { base, head: tip, range: [base, (await presentTree(git, request)) ?? tip] }
}

/**
 * An extended regular expression for a text that ignores upper and lower case. Git has no other way to search in
 * changed lines.
 */
const anyCase = (text: string): string =>
  text
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/(?<!\\)[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)

function requireFile(files: readonly FileChange[], { card, file }: DiffRequest): FileChange {
  const found = files.find(({ path }) => path === file)
  if (found !== undefined) return found
  throw new BoardError(
    'diff_refused',
    `Card ${card} has no change in ${file ?? ''}. To list its files: muster diff ${card} --stat`,
  )
}

/** The patch of one file. The former path of a renamed file is compared too, or git would show a new file. */
async function patchOf(
  git: Git,
  place: GitPlace,
  {
    options,
    range,
    file,
  }: { readonly options: readonly string[]; readonly range: readonly [string, string]; readonly file: FileChange },
): Promise<Pick<WorkDiff, 'patch' | 'isTooLarge'>> {
  const tooLarge = { patch: null, isTooLarge: true } as const
  if ((file.added ?? 0) + (file.removed ?? 0) > LINES_MAX) return tooLarge
  const paths = [file.path, ...(file.from === null ? [] : [file.from])].map(literal)
  const call = { place, maxBytes: BYTES_MAX }
  try {
    return { patch: await git.run(call, 'diff', '-M', ...options, ...range, '--', ...paths), isTooLarge: false }
  } catch (error) {
    // Git was killed, because it printed more than the limit, such as a few very long lines.
    if (error instanceof GitFault && error.exitCode === null && error.message.includes('printed more than'))
      return tooLarge
    throw error
  }
}

/**
 * Finds the commit to compare with. This is the merge base, because the base branch may have been merged into the
 * card's branch. If the merge base is the latest commit of the card's branch, the work was already merged. In that
 * case, the recorded base is used.
 */
async function baseOf(git: Git, place: GitPlace, request: DiffRequest & { readonly tip: string }): Promise<string> {
  const { card, tip, base, baseBranch } = request
  const onto = await commitAt(git, place, landingNote(card, 'onto'))
  const other = onto ?? (baseBranch === null ? null : await commitAt(git, place, `refs/heads/${baseBranch}`))
  const met = other === null ? null : ((await git.ask(place, 'merge-base', other, tip))?.trim() ?? null)
  if (met !== null && met !== tip) return met
  return base ?? met ?? tip
}

/**
 * The files in the worktree as a git tree, including uncommitted files. Null means that the worktree is gone or has
 * unresolved conflicts.
 */
async function presentTree(git: Git, { repo, path }: DiffRequest): Promise<string | null> {
  const place = existsSync(path) ? await placeOfWorktree(git, { repo, path }) : null
  if (place === null) return null
  try {
    reads += 1
    const { tree, index } = await readWorkTree(git, place, `${INDEX}-${process.pid}-${reads}`)
    await rm(index, { force: true })
    return tree
  } catch (error) {
    if (error instanceof WorkspaceFault && !isDiskFull(error)) return null
    throw error
  }
}
