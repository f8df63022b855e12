import { InputError } from '../../src/errors/index.js'
import { utf8Length } from '../../src/ops/utf8.js'
import { type Note, toLine } from './lines.js'

const MAX_NOTE_BYTES = 64 * 1024

/** @throws InputError for what cannot be remembered */
export function checkNote(note: Note): void {
  const { key, text, category } = note
  checkText('text', text)
  if (key !== undefined) checkText('key', key)
  if (category !== undefined) checkText('category', category)
  const bytes = utf8Length(toLine(note))
  if (bytes > MAX_NOTE_BYTES) throw refused('text', `has ${bytes} bytes as a line, a note may have ${MAX_NOTE_BYTES}`)
}

function checkText(name: string, value: unknown): void {
  if (typeof value !== 'string' || value.trim() === '') throw refused(name, 'must be text that is not blank')
}

const refused = (name: string, message: string): InputError =>
  new InputError('invalid_input', `Cannot remember this: ${name} ${message}`, { issues: [{ path: name, message }] })
