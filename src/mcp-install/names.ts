/**
 * The names of the assistants. They have their own file, so that help and schemas do not load the code of the
 * assistants.
 */
export const ASSISTANT_NAMES = ['claude', 'codex', 'opencode', 'gemini'] as const
export type AssistantName = (typeof ASSISTANT_NAMES)[number]
