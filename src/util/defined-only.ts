/** The fields that have a value. What was not given is then not there at all, which is not the same as undefined. */
export const definedOnly = <T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
