/** Flags that every command takes. */
export interface CommonFlags {
  readonly board?: string
  readonly json: boolean
  readonly help: boolean
}
