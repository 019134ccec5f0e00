/**
 * Chooses the letter and the hue of an agent. They depend only on the agent's name, so an agent looks the same
 * everywhere.
 */

/** Fixed letters and hues for agents that come with Muster. The hues differ clearly. */
const KNOWN: Readonly<Record<string, { readonly letter: string; readonly hue: number }>> = {
  claude: { letter: 'C', hue: 45 },
  codex: { letter: 'X', hue: 255 },
  opencode: { letter: 'O', hue: 150 },
  gemini: { letter: 'G', hue: 200 },
  hermes: { letter: 'H', hue: 350 },
  shell: { letter: '$', hue: 90 },
}

const HUES = [310, 20, 175, 280, 120, 225, 65, 335]

export function avatarOf(name: string): { readonly letter: string; readonly hue: number } {
  const known = KNOWN[name]
  if (known !== undefined) return known
  let sum = 0
  for (const char of name) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 9973
  const [first = '?'] = name
  return { letter: first.toUpperCase(), hue: HUES[sum % HUES.length] ?? 0 }
}
