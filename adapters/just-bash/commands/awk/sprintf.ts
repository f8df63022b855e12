import { characterOf } from '../../escaped-bytes.js'
import { formatFloat, formatInteger, formatText, refusalOf } from '../shared/c-format.js'
import { Failure } from '../shared/failure.js'
import type { Runtime } from './runtime.js'
import { specialText, toNumber, type Value } from './values.js'

const DIRECTIVE = /%([-+ 0#']*)(\*|\d+)?(?:\.(\*|\d*))?([hlLqjzt]*)([a-zA-Z%])/g

export function sprintf(runtime: Runtime, format: string, values: readonly Value[]): string {
  let next = 0
  const take = (): Value => {
    if (next >= values.length) throw new Failure(`fatal: not enough arguments to satisfy format string\n\t\`${format}'`, 2)
    return values[next++]
  }
  return format.replace(
    DIRECTIVE,
    (all, flags: string, width: string | undefined, precision: string | undefined, _: string, letter: string) => {
      if (letter === '%') return '%'
      const columns = width === '*' ? Math.trunc(toNumber(take())) : Number(width ?? 0)
      const digits = precision === '*' ? Math.trunc(toNumber(take())) : precision === undefined ? undefined : Number(precision)
      const directive = {
        flags: columns < 0 ? `${flags}-` : flags,
        width: Math.abs(columns),
        precision: digits !== undefined && digits < 0 ? undefined : digits,
        letter,
      }
      const refusal = refusalOf(directive)
      if (refusal !== undefined) throw new Failure(`${all}: ${refusal}`, 2)
      switch (letter) {
        case 'd':
        case 'i':
        case 'u':
        case 'o':
        case 'x':
        case 'X': {
          const value = toNumber(take())
          if (!Number.isFinite(value)) return specialText(value)
          return formatInteger(BigInt(Math.trunc(value)), letter === 'u' ? { ...directive, letter: 'd' } : directive)
        }
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G': {
          const value = toNumber(take())
          return Number.isFinite(value) ? formatFloat(value, directive) : specialText(value)
        }
        case 'c': {
          const value = take()
          const text = typeof value === 'number' ? charOf(value, runtime.coding.unicode) : ([...runtime.text(value)][0] ?? '')
          return formatText(text, { ...directive, precision: undefined })
        }
        case 's':
          return formatText(runtime.text(take()), directive)
        default:
          return all
      }
    },
  )
}

function charOf(code: number, unicode: boolean): string {
  const whole = Math.trunc(code)
  if (!unicode) return String.fromCharCode(whole & 0xff)
  return whole >= 0 && whole <= 0x10ffff ? characterOf(whole) : ''
}
