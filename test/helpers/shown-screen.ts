/**
 * Replays the output of a full-screen command. The result shows the content of its terminal, and whether the terminal
 * is restored.
 */
export interface ShownScreen {
  /** The lines of the alternate screen. Null means that the normal screen is shown. */
  readonly lines: readonly string[] | null
  readonly hidesCursor: boolean
  readonly wraps: boolean
  /** The number of drawings. */
  readonly drawings: number
}

// eslint-disable-next-line no-control-regex -- the pattern matches escape codes
const PARTS = /\u001b\[(\??[\d;]*)([A-Za-z])|([^\u001b]+)/g

export function shownScreen(output: string): ShownScreen {
  let lines: string[] | null = null
  let row = 0
  const modes = { '?25': true, '?7': true }
  let drawings = 0
  for (const [, numbers = '', final = '', text] of output.matchAll(PARTS)) {
    const code = `${numbers}${final}`
    if (code === '?1049h') lines = []
    else if (code === '?1049l') lines = null
    else if (numbers === '?25' || numbers === '?7') modes[numbers] = final === 'h'
    else if (final === 'H') row = Number(numbers.split(';')[0]) - 1
    else if (code === '2J') lines = []
    else if (code === '2K' && lines !== null) lines[row] = ''
    if (code === '?25l') drawings += 1
    if (text !== undefined && lines !== null) lines[row] = (lines[row] ?? '') + text
  }
  return { lines, hidesCursor: !modes['?25'], wraps: modes['?7'], drawings }
}
