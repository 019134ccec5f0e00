declare module '*.module.css' {
  /**
   * The class names of a CSS module. test/web/styles.test.ts checks that the module has every class that its component
   * uses.
   */
  const classes: Readonly<Record<string, string>>
  export default classes
}
