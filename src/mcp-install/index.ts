/** The assistants that Muster can be installed into. */
import type { Assistant } from './assistant.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'
import type { AssistantName } from './names.ts'

export const ASSISTANTS: Readonly<Record<AssistantName, Assistant>> = { claude, codex, opencode, gemini }
