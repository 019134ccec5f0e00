/**
 * Chooses Korean particles, which depend on the preceding sound. Messages contain both forms, such as `이(가)`. After a
 * Hangul syllable or a digit, the right form is known. After other letters, both forms stay.
 */
import type { EventPiece } from './event-piece.ts'

/** The particles, each with its form after a consonant and its form after a vowel. */
const PARTICLES: Readonly<Record<string, readonly [string, string]>> = {
  '이(가)': ['이', '가'],
  '을(를)': ['을', '를'],
  '은(는)': ['은', '는'],
  '(으)로': ['으로', '로'],
}
/** The digits whose Korean names end with a consonant: 영 일 삼 육 칠 팔. */
const CLOSED_DIGITS = '013678'
/** The digits whose Korean names end with ㄹ (일, 칠 and 팔). After them, `으로` becomes `로`. */
const DIGITS_WITH_RIEUL = '178'
const RIEUL = 8

type Ending = 'open' | 'closed' | 'rieul'

function endingOf(text: string): Ending | null {
  const last = text.at(-1) ?? ''
  if (/\d/.test(last))
    return DIGITS_WITH_RIEUL.includes(last) ? 'rieul' : CLOSED_DIGITS.includes(last) ? 'closed' : 'open'
  if (last < '가' || last > '힣') return null
  const final = ((last.codePointAt(0) ?? 0) - ('가'.codePointAt(0) ?? 0)) % 28
  return final === 0 ? 'open' : final === RIEUL ? 'rieul' : 'closed'
}

function fitted(text: string, before: string): string {
  const found = Object.entries(PARTICLES).find(([both]) => text.startsWith(both))
  const ending = endingOf(before)
  if (found === undefined || ending === null) return text
  const [both, [closed, open]] = found
  const isOpen = ending === 'open' || (ending === 'rieul' && both === '(으)로')
  return `${isOpen ? open : closed}${text.slice(both.length)}`
}

/** Chooses the particles in a sentence. The title of a card is unknown here, so both forms stay after a card. */
export const withParticles = (pieces: readonly EventPiece[]): readonly EventPiece[] =>
  pieces.map((piece, at) => {
    const before = pieces[at - 1]
    if (typeof piece !== 'string' || before === undefined) return piece
    if (typeof before === 'string') return fitted(piece, before)
    return before.is === 'name' ? fitted(piece, before.text) : piece
  })
