/** Environment variables, passed as a value. Only this folder and bin.ts read `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

export const ownEnvironment = (): Environment => process.env
