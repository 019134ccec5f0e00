/** The notice while a log that does not exist yet is awaited. */
export const waitsForLog = (fault: string, task: string): string =>
  `${fault} Waiting for it. To see why: muster why ${task}`
