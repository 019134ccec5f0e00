/**
 * Computes SHA-256 of a short text. Node's crypto module is not used, because it takes 2.5 ms to load: a tenth of
 * Node's start, and as long as a claim. Code that hashes files uses the crypto module.
 */
const PRIMES = primes(64)
/** Returns the first 32 bits of the fractional part of a root. */
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0
const FIRST = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
const ROUND = PRIMES.map((prime) => fraction(Math.cbrt(prime)))

function primes(count: number): number[] {
  const found: number[] = []
  for (let candidate = 2; found.length < count; candidate += 1)
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate)
  return found
}

export function sha256(text: string): string {
  const state = Int32Array.from(FIRST)
  const words = padded(text)
  for (let at = 0; at < words.length; at += 16) mix(state, words.subarray(at, at + 16))
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

/**
 * Pads the text as SHA-256 requires. The result has the text, one set bit, zeros, and the length in bits, in blocks of
 * 16 words.
 */
function padded(text: string): Int32Array {
  const bytes = new TextEncoder().encode(text)
  const words = new Int32Array(Math.ceil((bytes.length + 9) / 64) * 16)
  const put = (at: number, byte: number): void => {
    words[at >> 2] = (words[at >> 2] ?? 0) | (byte << (24 - (at & 3) * 8))
  }
  for (const [at, byte] of bytes.entries()) put(at, byte)
  put(bytes.length, 0x80)
  words[words.length - 1] = bytes.length * 8
  return words
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

function mix(state: Int32Array, block: Int32Array): void {
  const schedule = new Int32Array(64)
  schedule.set(block)
  const at = (index: number): number => schedule[index] ?? 0
  for (let index = 16; index < 64; index += 1) {
    const [far, near] = [at(index - 15), at(index - 2)]
    const low = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3)
    const high = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10)
    schedule[index] = at(index - 16) + low + at(index - 7) + high
  }
  let [a, b, c, d, e, f, g, h] = [...state] as [number, number, number, number, number, number, number, number]
  for (let index = 0; index < 64; index += 1) {
    const choice = (e & f) ^ (~e & g)
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + (ROUND[index] ?? 0) + at(index)) | 0
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const other = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + other) | 0]
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + word
}
