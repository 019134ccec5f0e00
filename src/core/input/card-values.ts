/** The schemas of the values that a card can hold. The table of card fields (core/card-fields.ts) names them. */
import * as z from 'zod'
import {
  BLOCK_KINDS,
  COOLDOWN_REASONS,
  DEFAULT_TURNS,
  GUARD_REASONS,
  JUDGES,
  MOST_TURNS,
  STATUSES,
  SWARM_ROLES,
  WORKSPACE_KINDS,
  WORKSPACE_STATES,
} from '../vocabulary.ts'
import type { ShortWords } from '../short-words.ts'
import { branchNameFault } from './branch-name.ts'
import { tournamentSchema } from './tournament-input.ts'
import { count, duration, json, line, name, runId, seriesId, slug, taskId, text, time } from './fields.ts'

/** The maximum length of a title, because lists show it on one line. */
const TITLE_MAX = 500
const BODY_MAX = 1_000_000
const WORDS_MAX = 20
const PRIORITY_MAX = 1_000_000

const flag = z.boolean()
const whole = z.int()
const positive = z.int().min(1)
const lines = z.array(line)
const texts = z.array(text)
const runtime = duration.min(1)
const priority = z.int().min(-PRIORITY_MAX).max(PRIORITY_MAX)

const status = z.enum(STATUSES)
const blockKind = z.enum(BLOCK_KINDS)
const cooldownReason = z.enum(COOLDOWN_REASONS)
const guardReason = z.enum(GUARD_REASONS)
const resumeStatus = z.enum(['review'])
const swarmRole = z.enum(SWARM_ROLES)

const maxTurns = z.int().min(1).max(MOST_TURNS).describe('The number of turns after which a person decides')
const judge = z
  .enum(JUDGES)
  .describe('Who decides whether the work meets the goal: a language model, or the checks of the card alone')

/**
 * The goal of a card that an agent pursues over several turns: the maximum number of turns, and the judge of the
 * result.
 */
const goal = z.object({ maxTurns: maxTurns.default(DEFAULT_TURNS), judge: judge.default('model') })
/** An edit of the goal may contain only some parts. The other parts stay. */
const goalEdit = z.object({ maxTurns: z.exactOptional(maxTurns), judge: z.exactOptional(judge) })
/** An older Muster stored null for a default, and any text as the judge. */
const storedGoal = z.object({ maxTurns: z.int().min(1).nullable(), judge: text.nullable() })

export const title = line.refine(
  (value) => value.length <= TITLE_MAX,
  `must be at most ${TITLE_MAX} characters; put the rest into the body`,
)

export const body = text.refine(
  (value) => value.length <= BODY_MAX,
  `must be at most ${BODY_MAX} characters; attach a file instead`,
)

const once = (values: readonly string[]): string[] => [...new Set(values)]

const wordOf = ({ rule, of }: ShortWords) =>
  text.transform((value, ctx) => {
    const found = of(value)
    if (found !== null) return found
    ctx.addIssue({ code: 'custom', message: `: ${rule}` })
    return z.NEVER
  })

/** A schema for a list of short words in the given order, without duplicates. */
const wordList = (words: ShortWords) =>
  z
    .array(wordOf(words))
    .transform(once)
    .refine((values) => values.length <= WORDS_MAX, `must be at most ${WORDS_MAX} ${words.many}`)

/**
 * A list of skill names in the given order, without duplicates. A name with a comma is refused, because such a text
 * usually is a list of several names.
 */
const skills = z
  .array(text)
  .transform((values) => once(values.map((value) => value.trim()).filter((value) => value !== '')))
  .refine((values) => values.every((value) => !value.includes(',')), 'must be given one by one, without commas')

const branch = line.superRefine((value, ctx) => {
  const message = branchNameFault(value)
  if (message !== null) ctx.addIssue({ code: 'custom', message })
})

/** A branch, tag or commit. Spaces and the characters of paths, ranges and patterns are refused. */
const baseRef = line
  .refine((value) => !value.startsWith('-'), 'must not start with "-"')
  .refine((value) => !/^\^|[\s:?*[\\]|\.\./.test(value), 'must name one branch, tag or commit')
  .refine((value) => value.length <= 500, 'must be at most 500 characters long')

/** The name of a model. The name becomes a command-line argument. With a leading dash, it would look like an option. */
const model = line.refine((value) => !value.startsWith('-'), 'must not start with "-"')

const isAbsolute = (path: string): boolean => path.startsWith('/')

/** A workspace as the caller requests it. The board fills in a missing directory or repository. */
export const askedWorkspace = z
  .object({
    kind: z.enum(WORKSPACE_KINDS),
    path: text.nullable().default(null),
    repo: text.nullable().default(null),
  })
  .superRefine(({ kind, path, repo }, ctx) => {
    const fault = (message: string): void => ctx.addIssue({ code: 'custom', path: [], message })
    if (kind === 'scratch' && path !== null) fault('of kind scratch takes no path; use dir:<path>')
    if (kind === 'worktree' && path !== null) fault('of kind worktree takes a repository, not a path')
    if (path !== null && !isAbsolute(path)) fault(`path ${path} must be absolute`)
    if (repo !== null && !isAbsolute(repo)) fault(`repository ${repo} must be absolute`)
  })

const workspace = z.object({
  kind: z.enum(WORKSPACE_KINDS),
  path: text.nullable(),
  repo: text.nullable(),
  state: z.enum(WORKSPACE_STATES),
  /** The commit on which the work in a worktree is based, and the branch of that commit. */
  base: text.nullable(),
  baseBranch: text.nullable(),
  /** The id and the name of the machine that has the files. Null means that only one machine uses the store. */
  machine: text.nullable(),
  host: text.nullable(),
  /**
   * The card whose folder this card uses, because both cards work on the same branch. Null means that the card has its
   * own folder.
   */
  owner: taskId.nullable(),
  /** The id of the process that is removing the folder. */
  sweeper: text.nullable(),
})

/** The place where the work of a worktree card landed. `tip` is the commit of the card's branch that was landed. */
const landed = z.object({ commit: line, tip: line, into: line, at: time })

/**
 * The recent blocks of the card. They are counted to detect a card that is blocked again and again. Unblocking keeps
 * them, and completing the card clears them.
 */
const recentBlocks = z.array(z.object({ kind: z.enum(BLOCK_KINDS), at: time }))

/** The schemas of all values. The table of card fields finds them by name. */
export const VALUES = {
  askedWorkspace,
  baseRef,
  blockKind,
  body,
  branch,
  cooldownReason,
  count,
  duration,
  flag,
  goal,
  goalEdit,
  guardReason,
  json,
  landed,
  line,
  lines,
  model,
  name,
  positive,
  priority,
  recentBlocks,
  resumeStatus,
  runId,
  runtime,
  seriesId,
  skills,
  slug,
  status,
  storedGoal,
  swarmRole,
  taskId,
  text,
  texts,
  time,
  title,
  tournament: tournamentSchema,
  whole,
  wordList,
  workspace,
}
export type Values = typeof VALUES
