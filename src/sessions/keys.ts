import { InputError } from '../errors/index.js'
import type { SessionKey } from '../types/session.js'

/** The bytes that xterm sends for each key. */
const BYTES: Readonly<Record<SessionKey, string>> = {
  enter: '\r',
  tab: '\t',
  esc: '\x1b',
  up: '\x1b[A',
  down: '\x1b[B',
  left: '\x1b[D',
  right: '\x1b[C',
  home: '\x1b[H',
  end: '\x1b[F',
  pgup: '\x1b[5~',
  pgdown: '\x1b[6~',
  backspace: '\x7f',
  delete: '\x1b[3~',
  'ctrl+c': '\x03',
  'ctrl+d': '\x04',
  'ctrl+z': '\x1a',
}

/** Keys with another form in application mode. */
const CURSOR: ReadonlySet<SessionKey> = new Set<SessionKey>(['up', 'down', 'left', 'right', 'home', 'end'])

/** All names that `keyOf` accepts. */
export const SESSION_KEYS: readonly string[] = Object.keys(BYTES)

const LONGEST_SHOWN = 40

/** Returns the key of this name, ignoring case. @throws {InputError} for an unknown name */
export function keyOf(name: string): SessionKey {
  const key = name.trim().toLowerCase()
  if (Object.hasOwn(BYTES, key)) return key as SessionKey
  const keys = SESSION_KEYS.join(', ')
  throw new InputError('invalid_input', `Cannot press "${name.slice(0, LONGEST_SHOWN)}": the keys are ${keys}`, {
    issues: [{ path: 'key', message: `is not one of ${keys}` }],
  })
}

/** Returns the bytes of a key. `application`: the program has enabled application cursor keys, as editors and pagers do. */
export function bytesOf(key: SessionKey, application: boolean): string {
  return application && CURSOR.has(key) ? BYTES[key].replace('[', 'O') : BYTES[key]
}
