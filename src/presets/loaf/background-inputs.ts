import type { TerminalSize } from '../../types/shell.js'
import { type Args, type Refuse, stringOf } from '../shared/seed-schema.js'
import { positiveOf, trimmedOf } from './fields.js'

/** The background fields of `bash`, with defaults. */
export interface BackgroundStart {
  /** undefined: the call gave no name, so it reuses no session. */
  readonly name: string | undefined
  readonly reuse: boolean
  readonly fullTerminal: boolean
  readonly terminal: TerminalSize
}

export interface ReadBackgroundInput {
  /** Empty if the call gave no id. */
  readonly id: string
  readonly maxChars: number
  /** The given value in lower case; undefined if it is not text. */
  readonly stream: string | undefined
  readonly peek: boolean
}

export interface WriteBackgroundInput {
  readonly id: string
  /** Empty if the call gave no input. */
  readonly input: string
  readonly key: string | undefined
  readonly repeat: number
  readonly newline: boolean
}

export interface StopBackgroundInput {
  readonly id: string
  readonly force: boolean
}

export interface ListBackgroundInput {
  readonly exited: boolean
}

export interface ResizeBackgroundInput {
  readonly id: string
  /** Undefined keeps the current value. */
  readonly cols: number | undefined
  readonly rows: number | undefined
}

export const COLS = { byDefault: 120, min: 40, max: 400 } as const
export const ROWS = { byDefault: 36, min: 10, max: 200 } as const
export const READ = { byDefault: 8000, min: 1, max: 120_000 } as const
export const REPEAT = { byDefault: 1, min: 1, max: 100 } as const

export const readStart = (args: Args): BackgroundStart => ({
  name: trimmedOf(args, 'session_name'),
  reuse: orTrue(args, 'reuse_session'),
  fullTerminal: orTrue(args, 'full_terminal'),
  terminal: { cols: positiveOf(args, 'terminal_cols', COLS), rows: positiveOf(args, 'terminal_rows', ROWS) },
})

export const readRead = (args: Args): ReadBackgroundInput => ({
  id: idOf(args),
  maxChars: positiveOf(args, 'max_chars', READ),
  stream: own(args, 'stream') === undefined ? 'both' : stringOf(args, 'stream')?.trim().toLowerCase(),
  peek: own(args, 'peek') === true,
})

export const readWrite = (args: Args): WriteBackgroundInput => ({
  id: idOf(args),
  input: stringOf(args, 'input') ?? '',
  key: trimmedOf(args, 'key')?.toLowerCase(),
  repeat: positiveOf(args, 'repeat', REPEAT),
  newline: orTrue(args, 'append_newline'),
})

/** Accepts text only, which may be empty, and no keys. */
export function readWriteJs(args: Args, refuse: Refuse): WriteBackgroundInput {
  const input = stringOf(args, 'input')
  if (input === undefined) refuse('input', 'write_background_js requires `input` as a string.')
  return { id: idOf(args), input: input ?? '', key: undefined, repeat: 1, newline: orTrue(args, 'append_newline') }
}

export const readStop = (args: Args): StopBackgroundInput => ({ id: idOf(args), force: own(args, 'force') === true })

export const readList = (args: Args): ListBackgroundInput => ({ exited: own(args, 'include_exited') === true })

export const readResize = (args: Args): ResizeBackgroundInput => ({
  id: idOf(args),
  cols: positiveOf(args, 'cols', { ...COLS, byDefault: undefined }),
  rows: positiveOf(args, 'rows', { ...ROWS, byDefault: undefined }),
})

const idOf = (args: Args): string => trimmedOf(args, 'session_id') ?? ''

const own = (args: Args, name: string): unknown => (Object.hasOwn(args, name) ? args[name] : undefined)

/** Returns true if the field is absent or literally `true`. */
export const orTrue = (args: Args, name: string): boolean => own(args, name) === undefined || own(args, name) === true
