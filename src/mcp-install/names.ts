/** A file of its own, so that help and schemas load nothing else. */
export const ASSISTANT_NAMES = ['claude', 'codex', 'opencode', 'gemini'] as const
export type AssistantName = (typeof ASSISTANT_NAMES)[number]
