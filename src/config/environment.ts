/** The environment variables. They are passed as a value, because only this folder and bin.ts read `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

export const ownEnvironment = (): Environment => process.env
