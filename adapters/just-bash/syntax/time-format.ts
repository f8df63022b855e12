// Formats the output of `time` by TIMEFORMAT. Built into the library (patches/language.patch), which itself ignores TIMEFORMAT.

const DEFAULT = '\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS'

/**
 * Formats the times for `time`. `seconds`: the elapsed time. Processor times are 0 in a virtual shell. `format`: TIMEFORMAT. Default: the
 * format of bash.
 */
export function timeText(seconds: number, format: string = DEFAULT): string {
  if (format === '') return ''
  const spent: Readonly<Record<string, number>> = { R: seconds, U: 0, S: 0 }
  const text = format.replace(/%(?:%|P|([0-3]?)(l?)([RUS]))/g, (found, digits: string, isLong: string, letter?: string) => {
    if (letter === undefined) return found === '%P' ? '0.00' : '%'
    const places = digits === '' ? 3 : Number(digits)
    const value = spent[letter] ?? 0
    return isLong === '' ? value.toFixed(places) : `${Math.floor(value / 60)}m${(value % 60).toFixed(places)}s`
  })
  return `${text}\n`
}
