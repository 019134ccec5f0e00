/** The JSON in a text that may also hold comments, as people write them into settings. */
export const withoutComments = (text: string): string =>
  text.replaceAll(/"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (found) => (found.startsWith('"') ? found : ' '))
