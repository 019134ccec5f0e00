// Sets the theme and the language before the first paint. The page must not be drawn in the wrong theme until the
// program has loaded. The program keeps both in local storage: see src/app/theme.ts and src/i18n/language.ts.
;(() => {
  const root = document.documentElement
  const stored = (/** @type {string} */ key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const theme = stored('muster-theme')
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.dataset.theme = isDark ? 'dark' : 'light'
  const language = stored('muster-language')
  if (language !== null) root.lang = language === 'zh' ? 'zh-Hans' : language
})()
