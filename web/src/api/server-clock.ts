/**
 * The difference between the clock of the server and the clock of this browser. Ages are computed with the clock of the
 * server.
 */
let offsetMs = 0

export function noteServerTime(now: number): void {
  offsetMs = now - Date.now()
}

export const serverNow = (): number => Date.now() + offsetMs
