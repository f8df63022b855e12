// Only the parts that packages need to start (string-width, got), in English. The data of the other parts would double the environment.
const { Segmenter } = require('unicode-segmenter/intl-adapter')

/** By type and style: what separates two items, and the last of more items from the others. */
const LAST = {
  conjunction: { long: [' and ', ', and '], short: [' & ', ', & '], narrow: [', ', ', '] },
  disjunction: { long: [' or ', ', or '], short: [' or ', ', or '], narrow: [' or ', ', or '] },
  unit: { long: [', ', ', '], short: [', ', ', '], narrow: [' ', ' '] },
}

class ListFormat {
  #type
  #style
  constructor(_, { type = 'conjunction', style = 'long' } = {}) {
    if (!Object.hasOwn(LAST, type)) throw new RangeError(`Value ${type} out of range for Intl.ListFormat options property type`)
    if (!Object.hasOwn(LAST[type], style)) throw new RangeError(`Value ${style} out of range for Intl.ListFormat options property style`)
    this.#type = type
    this.#style = style
  }
  static supportedLocalesOf(locales = []) {
    return [locales].flat().filter((locale) => /^en\b/.test(locale))
  }
  formatToParts(list = []) {
    const values = [...list]
    const [two, last] = LAST[this.#type][this.#style]
    const between = this.#type === 'unit' ? last : ', '
    return values.flatMap((value, at) => {
      if (typeof value !== 'string') throw new TypeError(`Iterable yielded ${String(value)} which is not a string`)
      const separator = values.length === 2 ? two : at === values.length - 1 ? last : between
      return [...(at > 0 ? [{ type: 'literal', value: separator }] : []), { type: 'element', value }]
    })
  }
  format(list) {
    return this.formatToParts(list)
      .map(({ value }) => value)
      .join('')
  }
  resolvedOptions() {
    return { locale: 'en-US', type: this.#type, style: this.#style }
  }
}

const define = (target, key, value, writable) => Object.defineProperty(target, key, { value, writable, configurable: true })
const Intl = {}
define(Intl, 'ListFormat', ListFormat, true)
define(Intl, 'Segmenter', Segmenter, true)
define(Intl, Symbol.toStringTag, 'Intl', false)
define(ListFormat.prototype, Symbol.toStringTag, 'Intl.ListFormat', false)
module.exports = { Intl }
