/** A `.sql` file imports as its text, so that the bundle contains the migrations. */
declare module '*.sql' {
  const text: string
  export default text
}
