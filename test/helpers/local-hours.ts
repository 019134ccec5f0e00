/** Returns the active hours between two moments as text, to the minute, in the time zone of this machine. */
export function localHours(from: number, to: number): { readonly text: string; readonly from: number } {
  return { text: `${clockAt(from)}-${clockAt(to)}`, from: from - (from % 60_000) }
}

function clockAt(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
}
