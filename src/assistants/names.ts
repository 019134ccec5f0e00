/** Apart from what they mean: the command line names them without loading how each is told. */
export const ASSISTANT_NAMES = ['claude', 'codex', 'opencode', 'gemini'] as const
export type AssistantName = (typeof ASSISTANT_NAMES)[number]
