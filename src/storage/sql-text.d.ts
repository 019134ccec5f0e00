/** A `.sql` file imports as its text: the bundle carries the migrations inside. */
declare module '*.sql' {
  const text: string
  export default text
}
