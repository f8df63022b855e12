import type { Regex } from '../commands/shared/regex/regex.js'

/** `text =~ expression` of one shell, with the expressions of `grep -E`. */
export function createMatch(): (expression: string, text: string, ignoreCase: boolean) => Promise<readonly (string | undefined)[] | null> {
  // A loop uses the same one again and again.
  let last: { readonly key: string; readonly regex: Regex } | undefined
  return async (expression, text, ignoreCase) => {
    const { compileRegex, LONG_LINE, loadLongest, mayNeedLongest } = await import('../commands/shared/regex/regex.js')
    if (mayNeedLongest(expression) || text.length > LONG_LINE) await loadLongest()
    const key = `${ignoreCase} ${expression}`
    if (last?.key !== key) last = { key, regex: compileRegex(expression, { extended: true, ignoreCase }) }
    return last.regex.exec(text)?.groups ?? null
  }
}
