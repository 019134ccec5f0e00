import * as z from 'zod'
import { absolutePath, duration, innerPath, line, name, slug, text, time } from './input/fields.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Settings of a board, kept in the store. Durations are milliseconds, so that a test can shrink any of them. */
export const boardSettingsSchema = z.object({
  maxRunning: z.int().min(1).nullable().default(null).describe('Cards that run at the same time on this board'),
  maxPerAgent: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('Cards that run at the same time for one agent on this board'),
  maxPerAccount: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('Cards that run at the same time on one account, on all boards'),
  failureLimit: z.int().min(1).default(2).describe('Failures in a row after which a card is blocked'),
  protocolLimit: z
    .int()
    .min(1)
    .default(3)
    .describe('Runs in a row without a reported result after which a card is blocked'),
  attemptsLimit: z.int().min(1).default(20).describe('Attempts within attemptsWindowMs after which a card is blocked'),
  attemptsWindowMs: duration.default(DAY).describe('Period in which attempts count'),
  burstLimit: z
    .int()
    .min(2)
    .default(3)
    .describe('Equal crashes on several cards of one agent after which the agent is paused'),
  burstWindowMs: duration.default(MINUTE).describe('Period in which such crashes count'),
  blockLoopLimit: z.int().min(2).default(4).describe('Blocks of the same kind after which a card goes to triage'),
  blockLoopWindowMs: duration.default(DAY).describe('Period in which blocks count'),
  maxCardsPerRun: z.int().min(0).default(50).describe('Cards that one run may create'),
  maxDepth: z.int().min(0).default(8).describe('Levels of cards created by agents below a card created by a person'),
  checkTries: z.int().min(1).default(3).describe('Times an agent may fix failing checks before its run fails'),
  checkTimeoutMs: duration
    .min(1)
    .default(10 * MINUTE)
    .describe('Time limit of one check'),
  approvedChecks: z.array(line).default([]).describe('Commands that agents may use as checks without approval'),
  defaultAssignee: name.nullable().default(null).describe('Agent for unassigned cards'),
  reviewer: name.nullable().default(null).describe('Agent that reviews cards without their own reviewer'),
  reviewSkills: z.array(line).default([]).describe('Skills for every review'),
  defaultDirectory: absolutePath
    .nullable()
    .default(null)
    .describe('Directory for cards with the workspace dir or worktree and no path'),
  sharedDirectories: z.boolean().default(false).describe('Cards in the same directory run at the same time'),
  retryKeepsFiles: z.boolean().default(true).describe('A retry keeps the scratch files of the last attempt'),
  worktreeLink: z.array(innerPath).default([]).describe('Ignored files that a new worktree links to'),
  worktreeCopy: z.array(innerPath).default([]).describe('Ignored files that are copied to a new worktree'),
  worktreeSetup: line.nullable().default(null).describe('Shell command that runs once in a new worktree'),
  worktreeSetupMs: duration
    .min(1)
    .default(10 * MINUTE)
    .describe('Time limit of each setup command'),
  commit: z
    .enum(['board', 'agent', 'none'], { error: 'must be board, agent or none' })
    .default('board')
    .describe('Who commits finished work in a worktree: Muster (board), the agent, or none'),
  starvationMs: duration.default(15 * MINUTE).describe('Waiting time that counts as much as one step of priority'),
  retryBaseMs: duration.default(5_000).describe('First wait after a failure; doubles each time'),
  retryMaxMs: duration.default(HOUR).describe('Longest wait after a failure'),
  rateLimitBaseMs: duration.default(5 * MINUTE).describe('First wait after a rate limit; doubles each time'),
  rateLimitMaxMs: duration.default(HOUR).describe('Longest wait after a rate limit'),
  probeMs: duration.default(MINUTE).describe('A card that works this long without a rate limit resumes its account'),
  startDeadlineMs: duration.default(30_000).describe('Time for a run to start'),
  leaseMs: duration.default(120_000).describe('Time without a sign of life after which a run may count as lost'),
  staleMs: duration.default(4 * HOUR).describe('Time without output after which a run is ended; 0: never'),
  successGuardMs: duration.default(HOUR).describe('How long an automatic retry waits after a success'),
  pullRequestGuardMs: duration.default(DAY).describe('How long an automatic retry waits after a pull-request link'),
  trashMs: duration.default(7 * DAY).describe('How long a deleted card can be restored'),
})
export type BoardSettings = z.infer<typeof boardSettingsSchema>

export const DEFAULT_SETTINGS: BoardSettings = boardSettingsSchema.parse({})

/** The settings that a caller changes, without defaults for the others. */
export const settingsPatchSchema = z
  .object(
    Object.fromEntries(
      Object.entries(boardSettingsSchema.shape).map(([key, field]) => [key, field.unwrap().exactOptional()]),
    ),
  )
  // `Object.fromEntries` loses the type of each key.
  .strict() as unknown as z.ZodType<Partial<BoardSettings>, Readonly<Record<string, unknown>>>

export const boardSchema = z.object({
  slug,
  name: line,
  description: text,
  settings: boardSettingsSchema,
  createdAt: time,
  updatedAt: time,
  archivedAt: time.nullable(),
})
export type Board = z.infer<typeof boardSchema>

/** `my-board` becomes "My Board". */
export const nameFromSlug = (text: string): string =>
  text
    .split(/[-_]+/)
    .filter((part) => part !== '')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(' ')

/** A new board with the default settings. */
export const blankBoard = (slugOf: string, now: number): Board => ({
  slug: slugOf,
  name: nameFromSlug(slugOf),
  description: '',
  settings: DEFAULT_SETTINGS,
  createdAt: now,
  updatedAt: now,
  archivedAt: null,
})
