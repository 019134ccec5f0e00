/** An agent: a named worker identity. A Markdown file whose front matter says how it runs and whose text instructs it. */
import * as z from 'zod'
import { parseDuration } from '../config/duration.ts'
import { line, name } from '../core/fields.ts'

/** Adapters an agent may name; which of them this build can start, the harness table says. */
const HARNESS_NAMES = ['shell', 'command'] as const

const durationField = z.union([z.number(), z.string()]).transform((value, ctx) => {
  const ms = parseDuration(String(value))
  if (ms !== null) return ms
  ctx.addIssue({ code: 'custom', message: 'must be a duration such as 90s, 30m or 2h' })
  return z.NEVER
})

const frontMatterSchema = z
  .object({
    name: name.optional(),
    description: line.optional(),
    harness: z.enum(HARNESS_NAMES),
    maxConcurrent: z.int().min(1).nullable().default(null),
    account: name.nullable().default(null),
    maxRuntime: durationField.nullable().default(null),
    /** Names of variables of the dispatcher's environment that this agent may see. */
    env: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be names of variables')).default([]),
  })
  .strict()

export interface Agent {
  readonly name: string
  readonly harness: (typeof HARNESS_NAMES)[number]
  readonly maxConcurrent: number | null
  readonly account: string | null
  readonly maxRuntimeMs: number | null
  readonly env: readonly string[]
  readonly instruction: string
}

/** Runs the body of its card as a script. It needs no file, so a fresh board can do something. */
export const SHELL_AGENT: Agent = {
  name: 'shell',
  harness: 'shell',
  maxConcurrent: null,
  account: null,
  maxRuntimeMs: null,
  env: [],
  instruction: '',
}

/** Reads an agent file; the fault in it is a sentence. `stem` is its file name, which names it unless it says otherwise. */
export function parseAgent(text: string, stem: string, parseYaml: (text: string) => unknown): Agent | string {
  const found = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text.replace(/^\uFEFF/, ''))
  if (found === null) return 'begins without front matter: write --- , harness: shell, --- above its text'
  const [, front = '', instruction = ''] = found
  let values: unknown
  try {
    values = parseYaml(front)
  } catch (error) {
    return `has front matter that is not YAML: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`
  }
  const parsed = frontMatterSchema.safeParse(values)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return `${issue?.path.join('.') || 'front matter'}: ${issue?.message ?? 'is not valid'}`
  }
  const { name: given, harness, maxConcurrent, account, maxRuntime, env } = parsed.data
  return {
    name: given ?? stem.toLowerCase(),
    harness,
    maxConcurrent,
    account,
    maxRuntimeMs: maxRuntime,
    env,
    instruction: instruction.trim(),
  }
}
