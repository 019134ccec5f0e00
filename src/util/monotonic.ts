/** Milliseconds that only ever go forward. Not `performance.now()`: the first use of that loads a module for 1 ms. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}
