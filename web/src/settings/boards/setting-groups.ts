/** The groups of board settings, in the order of the page. */
import type { BoardSettings } from '../../../../src/core/board.ts'

type SettingName = keyof BoardSettings

export const SETTING_GROUPS = {
  work: ['maxRunning', 'maxPerAgent', 'maxPerAccount', 'activeHours', 'starvationMs'],
  people: ['defaultAssignee', 'reviewer', 'reviewSkills', 'autoDecompose', 'mentions', 'maxCardsPerRun', 'maxDepth'],
  checks: ['checkTries', 'checkTimeoutMs', 'approvedChecks'],
  files: [
    'defaultDirectory',
    'sharedDirectories',
    'retryKeepsFiles',
    'commit',
    'worktreeSetup',
    'worktreeSetupMs',
    'worktreeLink',
    'worktreeCopy',
    'trashMs',
  ],
  failures: [
    'failureLimit',
    'protocolLimit',
    'attemptsLimit',
    'attemptsWindowMs',
    'burstLimit',
    'burstWindowMs',
    'blockLoopLimit',
    'blockLoopWindowMs',
  ],
  waits: [
    'retryBaseMs',
    'retryMaxMs',
    'rateLimitBaseMs',
    'rateLimitMaxMs',
    'probeMs',
    'successGuardMs',
    'pullRequestGuardMs',
  ],
  runs: ['startDeadlineMs', 'leaseMs', 'staleMs'],
} as const satisfies Readonly<Record<string, readonly SettingName[]>>

export type SettingGroup = keyof typeof SETTING_GROUPS
export const GROUP_NAMES = Object.keys(SETTING_GROUPS) as readonly SettingGroup[]
