/** Apart from what is known of each: whoever only names them loads nothing else. */
export const ASSISTANT_NAMES = ['claude', 'codex', 'opencode', 'gemini'] as const
export type AssistantName = (typeof ASSISTANT_NAMES)[number]
