/** The environment as values. Only this folder and bin.ts read the process's own. */
export type Environment = Readonly<Record<string, string | undefined>>

export const ownEnvironment = (): Environment => process.env
