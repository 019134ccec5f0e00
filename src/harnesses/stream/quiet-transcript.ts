/**
 * Removes lines from a transcript that an agent's CLI prints about itself: banners, session ids, stack traces and
 * repeated status lines. Lines about the network and about quotas stay. The log still has all lines.
 */
import type { Passage } from './passage.ts'

export interface Quieter {
  take(passage: Passage): readonly Passage[]
  /** Returns the remaining passages. Call this method after the last passage. */
  end(): readonly Passage[]
}

const CHATTER: readonly RegExp[] = [
  /^[\s─━═╭╮╰╯│┃|+=*_-]{3,}$/,
  /^\s+at .+/,
  /^\(node:\d+\) /,
  /^\(Use `node --trace/,
  /^npm (?:warn|notice)\b/i,
  /^(?:Claude Code|OpenAI Codex|Gemini CLI|OpenCode|Hermes Agent)\b.*\bv?\d+\.\d+/i,
  /^(?:session|conversation|thread)(?:[ _-]?id)?\s*[:=]/i,
  /^(?:workdir|model|provider|approval|sandbox|reasoning effort|reasoning summaries)\s*:/i,
  /^YOLO mode is enabled/,
  /^Loaded cached credentials/,
  /^Data collection is disabled/,
  /^Reading (?:prompt|additional input) from stdin/,
  /256-color support not detected/,
  /^Ripgrep is not available/,
  /could not create PATH aliases/,
]

const NETWORK =
  /\b(?:E(?:CONNREFUSED|CONNRESET|NOTFOUND|TIMEDOUT|AI_AGAIN|HOSTUNREACH|NETUNREACH)|fetch failed|socket hang up|stream disconnected|reconnecting|network (?:error|is unreachable)|connection (?:error|refused|reset|lost|timed out))\b/i

export function makeQuieter(): Quieter {
  let hidden = 0
  let last = ''
  let repeats = 0

  const flush = (): readonly Passage[] => {
    const count = repeats
    repeats = 0
    return count === 0 ? [] : [{ kind: 'printed', text: `  (${count === 1 ? 'once more' : `${count} more times`})\n` }]
  }

  /** Whether the line repeats an earlier status line. Numbers are ignored, because counters and times change. */
  const isRepeated = (passage: Passage): boolean => {
    const key = statusKey(passage)
    const isSame = key !== null && key === last
    last = key ?? ''
    return isSame
  }

  return {
    take: (passage) => {
      if (passage.kind === 'unknown') {
        const lines = passage.lines + hidden
        hidden = 0
        return [...flush(), { ...passage, lines }]
      }
      const shown = withoutChatter(passage)
      if (shown === null) {
        hidden += 1
        return []
      }
      if (isRepeated(shown)) {
        repeats += 1
        return []
      }
      return [...flush(), shown]
    },
    end: () => {
      const lines = hidden
      hidden = 0
      return [...flush(), ...(lines === 0 ? [] : [{ kind: 'unknown', lines } as const])]
    },
  }
}

/**
 * Returns the passage, or null for a line that a CLI prints about itself. A line about the network becomes a passage
 * about waiting.
 */
export function withoutChatter(passage: Passage): Passage | null {
  if (passage.kind !== 'printed' || passage.aside !== true) return passage
  const line = passage.text.trimEnd()
  if (line.trim() === '' || CHATTER.some((pattern) => pattern.test(line))) return null
  return NETWORK.test(line) ? { kind: 'waits', cause: 'other', message: `network: ${line.trim()}` } : passage
}

function statusKey(passage: Passage): string | null {
  if (passage.kind === 'printed' && passage.aside === true) return `printed ${withoutNumbers(passage.text)}`
  return passage.kind === 'waits' ? `waits ${passage.cause} ${withoutNumbers(passage.message)}` : null
}

const withoutNumbers = (text: string): string => text.trim().replaceAll(/\d+/g, '#')
