/** The notice that is shown while the log does not exist yet. */
export const waitsForLog = (fault: string, task: string): string =>
  `${fault} Waiting for it. To see why: muster why ${task}`
