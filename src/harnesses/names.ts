/** The harnesses that an agent file can name. */
export const HARNESS_NAMES = ['claude', 'codex', 'opencode', 'gemini', 'hermes', 'acp', 'command', 'shell'] as const
export type HarnessName = (typeof HARNESS_NAMES)[number]
