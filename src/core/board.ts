import * as z from 'zod'
import { absolutePath, duration, innerPath, line, name, slug, text, time } from './input/fields.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * What belongs to a board and so lives in the store. Durations are milliseconds, so that a test can shrink any of
 * them. The defaults are arguments: each says in its description what it protects.
 */
export const boardSettingsSchema = z.object({
  maxRunning: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('Runs at once on this board, besides what the machine allows'),
  maxPerAgent: z.int().min(1).nullable().default(null).describe('Runs at once of one agent on this board'),
  maxPerAccount: z.int().min(1).nullable().default(null).describe('Runs at once on one account, wherever they are'),
  failureLimit: z.int().min(1).default(2).describe('Failures in a row that open the breaker'),
  protocolLimit: z.int().min(1).default(3).describe('Runs in a row that may end without a verdict'),
  attemptsLimit: z.int().min(1).default(20).describe('Attempts within attemptsWindowMs before a person is asked'),
  attemptsWindowMs: duration.default(DAY).describe('How far back attempts are counted'),
  burstLimit: z.int().min(2).default(3).describe('Cards of one agent that crash alike before the agent is paused'),
  burstWindowMs: duration.default(MINUTE).describe('How far back such crashes are counted'),
  blockLoopLimit: z.int().min(2).default(4).describe('Blocks of one kind within blockLoopWindowMs that go to triage'),
  blockLoopWindowMs: duration.default(DAY).describe('How far back blocks are counted'),
  maxCardsPerRun: z.int().min(0).default(50).describe('Cards that one run may create'),
  maxDepth: z.int().min(0).default(8).describe('Levels of cards created by agents below a card created by a person'),
  checkTries: z.int().min(1).default(3).describe('Times failing checks are handed back before the run fails'),
  checkTimeoutMs: duration
    .min(1)
    .default(10 * MINUTE)
    .describe('How long one check may take'),
  approvedChecks: z
    .array(line)
    .default([])
    .describe('Commands that agents may give cards as checks without asking a person'),
  defaultAssignee: name.nullable().default(null).describe('Who takes ready cards that nobody is assigned to'),
  reviewer: name.nullable().default(null).describe('Who reviews cards that name no reviewer themselves'),
  reviewSkills: z.array(line).default([]).describe('Skills that every review run gets'),
  defaultDirectory: absolutePath.nullable().default(null).describe('Taken by dir and worktree cards, never by scratch'),
  sharedDirectories: z
    .boolean()
    .default(false)
    .describe('Cards on one directory run beside each other, not one after the other'),
  retryKeepsFiles: z.boolean().default(true).describe('A retry finds the scratch files of the attempt before it'),
  worktreeLink: z.array(innerPath).default([]).describe('Ignored files that a worktree shares with its repository'),
  worktreeCopy: z.array(innerPath).default([]).describe('Ignored files that a worktree gets a copy of'),
  worktreeSetup: line.nullable().default(null).describe('Shell command that is run once in a new worktree'),
  worktreeSetupMs: duration
    .min(1)
    .default(10 * MINUTE)
    .describe('How long that command may take'),
  commit: z
    .enum(['board', 'agent', 'none'], { error: 'must be board, agent or none' })
    .default('board')
    .describe('Who commits the files of a worktree when its work is finished'),
  starvationMs: duration.default(15 * MINUTE).describe('Waiting time that outweighs one step of priority'),
  retryBaseMs: duration.default(5_000).describe('First wait after a failure; doubles'),
  retryMaxMs: duration.default(HOUR).describe('Longest wait after a failure'),
  rateLimitBaseMs: duration.default(5 * MINUTE).describe('First wait after a rate limit; doubles'),
  rateLimitMaxMs: duration.default(HOUR).describe('Longest wait after a rate limit'),
  probeMs: duration.default(MINUTE).describe('A probe that works this long opens its account again'),
  startDeadlineMs: duration.default(30_000).describe('Time for a supervisor to register'),
  leaseMs: duration.default(120_000).describe('Silence of a supervisor after which its run counts as lost'),
  staleMs: duration.default(4 * HOUR).describe('Silence of an agent that ends its run; 0: never'),
  successGuardMs: duration.default(HOUR).describe('An automatic retry waits this long after a success'),
  pullRequestGuardMs: duration.default(DAY).describe('An automatic retry waits this long after a pull-request link'),
  trashMs: duration.default(7 * DAY).describe('How long a deleted card can be brought back'),
})
export type BoardSettings = z.infer<typeof boardSettingsSchema>

export const DEFAULT_SETTINGS: BoardSettings = boardSettingsSchema.parse({})

/** What a caller may set: any of them, without the defaults that a missing key would otherwise bring. */
export const settingsPatchSchema = z
  .object(
    Object.fromEntries(
      Object.entries(boardSettingsSchema.shape).map(([key, field]) => [key, field.unwrap().exactOptional()]),
    ),
  )
  // The keys went through a list, which forgets that each has a type of its own.
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

/** `my-board` reads as "My Board" until somebody names it. */
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
