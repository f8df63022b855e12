import { CONTROL_ESCAPES } from '../../control-escapes.js'
import { packed } from './bytes.js'

const UNPRINTABLE = String.raw`\p{Cc}\p{Cn}\p{Zl}\p{Zp}`
/** The escape letters by control character, for example `t` for a tab. */
const LETTERS = new Map(Object.entries(CONTROL_ESCAPES).map(([letter, char]) => [char, letter]))

export const QUOTING_STYLES = 'literal shell shell-always shell-escape shell-escape-always c c-maybe escape locale clocale'

/** Returns the quoting style that the environment requests, or `otherwise`. */
export function quotingStyle(env: ReadonlyMap<string, string>, otherwise = 'literal'): string {
  const style = env.get('QUOTING_STYLE')
  return style && QUOTING_STYLES.split(' ').includes(style) ? style : otherwise
}

/** Formats a name in a style of `ls --quoting-style`. */
export function quotedName(name: string, style: string): string {
  if (style.startsWith('shell')) return shellQuoted(name, style.includes('escape'), style.endsWith('always'))
  if (style === 'escape') return escaped(name, '[\\\\ ]')
  if (style.endsWith('locale')) return `‘${escaped(name, '[\\\\’]')}’`
  const inside = escaped(name, '[\\\\"]')
  const isPlain = style === 'c-maybe' && inside.replaceAll('\\\\', '\\') === name
  return style === 'literal' || isPlain ? name : `"${inside}"`
}

function escaped(text: string, marks: string): string {
  return text.replace(new RegExp(`${marks}|[${UNPRINTABLE}]`, 'gu'), (char) => {
    const letter = LETTERS.get(char) ?? (char < ' ' || char > '~' ? undefined : char)
    const octal = (byte: string): string => byte.charCodeAt(0).toString(8).padStart(3, '0')
    return [...(letter ?? packed(char))].map((byte) => `\\${letter ?? octal(byte)}`).join('')
  })
}

function shellQuoted(name: string, escapes: boolean, always: boolean): string {
  const hidden = escapes && new RegExp(`[${UNPRINTABLE}]`, 'u').test(name)
  if (!always && !hidden && name !== '' && !/^[#~]|[\t\n\r !"$&'()*;<=>?[\\^`|]|^[{}]$/.test(name)) return name
  // Use double quotes if they need no escapes.
  if (name.includes("'") && !new RegExp(`[${UNPRINTABLE}!"$&()*;<=>?[\\\\^\`{|}]|.[#~]`, 'u').test(name)) return `"${name}"`
  const body = name.replace(new RegExp(`'|[${escapes ? UNPRINTABLE : "'"}]+`, 'gu'), (run: string, at: number) => {
    if (run === "'") return "'\\''"
    const next = name[at + run.length]
    return `'$'${escaped(run, "'")}${next === undefined || next === "'" ? '' : "''"}`
  })
  return `'${body}'`
}
