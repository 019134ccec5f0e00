declare module '*.module.css' {
  /** The class names of a CSS module. test/web/styles.test.ts checks that every class in use exists. */
  const classes: Readonly<Record<string, string>>
  export default classes
}
