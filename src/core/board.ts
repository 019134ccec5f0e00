import * as z from 'zod'
import { activeHoursFault } from './gates/active-hours.ts'
import { absolutePath, duration, innerPath, line, name, slug, text, time } from './input/fields.ts'
import { MENTION_MODES } from './vocabulary.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The hours are stored as the person typed them, because messages quote them. */
const activeHours = z
  .string()
  .trim()
  .max(200)
  .refine((text) => activeHoursFault(text) === null, {
    error: ({ input }) => `is not valid: ${activeHoursFault(String(input)) ?? ''}`,
  })

/**
 * The settings of a board, which the store keeps. Durations are in milliseconds, so that a test can shrink any of them.
 */
export const boardSettingsSchema = z.object({
  maxRunning: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('Maximum number of cards that run at once on this board'),
  maxPerAgent: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('Maximum number of cards that run at once for one agent on this board'),
  maxPerAccount: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('Maximum number of cards that run at once on one account, on all boards'),
  failureLimit: z.int().min(1).default(2).describe('Number of failures in a row that blocks a card'),
  protocolLimit: z
    .int()
    .min(1)
    .default(3)
    .describe('Number of runs in a row without a reported result that blocks a card'),
  attemptsLimit: z.int().min(1).default(20).describe('Number of attempts within attemptsWindowMs that blocks a card'),
  attemptsWindowMs: duration.default(DAY).describe('Period in which attempts count towards attemptsLimit'),
  burstLimit: z
    .int()
    .min(2)
    .default(3)
    .describe('Number of equal crashes, on different cards of one agent, that pauses the agent'),
  burstWindowMs: duration.default(MINUTE).describe('Period in which equal crashes count towards burstLimit'),
  blockLoopLimit: z.int().min(2).default(4).describe('Number of blocks of the same kind that moves a card to triage'),
  blockLoopWindowMs: duration
    .default(DAY)
    .describe('Period in which blocks of the same kind count towards blockLoopLimit'),
  maxCardsPerRun: z.int().min(0).default(50).describe('Maximum number of cards that one run may create'),
  maxDepth: z
    .int()
    .min(0)
    .default(8)
    .describe('Maximum depth of cards that agents create, counted from a card that a person created'),
  checkTries: z.int().min(1).default(3).describe('How many times the checks may fail before the run fails'),
  checkTimeoutMs: duration
    .min(1)
    .default(10 * MINUTE)
    .describe('Time limit of one check'),
  approvedChecks: z.array(line).default([]).describe('Commands that agents may use as checks without approval'),
  activeHours: activeHours
    .nullable()
    .default(null)
    .describe('When cards may start, in local time: 22:00-07:00 or mon-fri 18:00-08:00; sat,sun'),
  defaultAssignee: name.nullable().default(null).describe('Agent for unassigned cards'),
  reviewer: name
    .nullable()
    .default(null)
    .describe('Agent that reviews a card if its worker asks for a review and the card names no reviewer'),
  reviewSkills: z.array(line).default([]).describe('Skills that every reviewer gets'),
  defaultDirectory: absolutePath
    .nullable()
    .default(null)
    .describe('Directory for cards with the workspace dir or worktree that name no path'),
  sharedDirectories: z
    .boolean()
    .default(false)
    .describe('Whether cards in the same directory may run at the same time'),
  retryKeepsFiles: z.boolean().default(true).describe('Whether a retry keeps the scratch files of the last attempt'),
  worktreeLink: z.array(innerPath).default([]).describe('Git-ignored files to link into a new worktree'),
  worktreeCopy: z.array(innerPath).default([]).describe('Git-ignored files to copy into a new worktree'),
  worktreeSetup: line.nullable().default(null).describe('Shell command that runs once in a new worktree'),
  worktreeSetupMs: duration
    .min(1)
    .default(10 * MINUTE)
    .describe('Time limit of each setup command of a new worktree'),
  commit: z
    .enum(['board', 'agent', 'none'], { error: 'must be board, agent or none' })
    .default('board')
    .describe('Who commits finished work in a worktree: Muster (board), the agent (agent), or no one (none)'),
  starvationMs: duration.default(15 * MINUTE).describe('Waiting time that counts as much as one step of priority'),
  retryBaseMs: duration
    .default(5_000)
    .describe('Wait after the first failure; the wait doubles with each further failure'),
  retryMaxMs: duration.default(HOUR).describe('Longest wait after a failure'),
  rateLimitBaseMs: duration
    .default(5 * MINUTE)
    .describe('Wait after the first rate limit; the wait doubles with each further rate limit'),
  rateLimitMaxMs: duration.default(HOUR).describe('Longest wait after a rate limit'),
  probeMs: duration
    .default(MINUTE)
    .describe('How long the first run after a rate limit must work before the account resumes'),
  startDeadlineMs: duration.default(30_000).describe('How long a run may take to start'),
  leaseMs: duration.default(120_000).describe('How long a run may give no sign of life before it can count as lost'),
  staleMs: duration.default(4 * HOUR).describe('Time without output or heartbeat after which a run is ended; 0: never'),
  successGuardMs: duration.default(HOUR).describe('No automatic retry within this time after the card succeeded'),
  pullRequestGuardMs: duration
    .default(DAY)
    .describe('No automatic retry within this time after a comment linked a pull request'),
  autoDecompose: z
    .boolean()
    .default(false)
    .describe('Whether the planner model splits new cards in triage without a person, at most 10 an hour'),
  mentions: z
    .enum(MENTION_MODES, { error: 'must be offer, create or none' })
    .default('offer')
    .describe(
      'Effect of `@agent` in the comment of a person: offer a card for the agent, create it, or nothing (none)',
    ),
  trashMs: duration.default(7 * DAY).describe('How long gc keeps a deleted card'),
})
export type BoardSettings = z.infer<typeof boardSettingsSchema>

export const DEFAULT_SETTINGS: BoardSettings = boardSettingsSchema.parse({})

/** A change of board settings. The schema has no defaults, so settings that the caller does not give stay unchanged. */
export const settingsPatchSchema = z
  .object(
    Object.fromEntries(
      Object.entries(boardSettingsSchema.shape).map(([key, field]) => [key, field.unwrap().exactOptional()]),
    ),
  )
  // The cast restores the type of each key, which `Object.fromEntries` loses.
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

/** Makes the name of a board from its id: `my-board` becomes "My Board". */
export const nameFromSlug = (text: string): string =>
  text
    .split(/[-_]+/)
    .filter((part) => part !== '')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(' ')

export const blankBoard = (slugOf: string, now: number): Board => ({
  slug: slugOf,
  name: nameFromSlug(slugOf),
  description: '',
  settings: DEFAULT_SETTINGS,
  createdAt: now,
  updatedAt: now,
  archivedAt: null,
})
