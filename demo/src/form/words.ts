import type { Property } from './schema.js'

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** Asks for a missing value. */
export function askFor({ name, shape }: Property): string {
  switch (shape.kind) {
    case 'number':
      return `Give ${shape.integer ? 'a whole number' : 'a number'} for ${name}.`
    case 'choice':
      return `Choose the ${name}.`
    case 'strings':
    case 'list':
      return `Add something to ${name}.`
    case 'object':
      return `Fill in ${name}.`
    case 'json':
      return `Give ${name} as JSON.`
    default:
      return `Give the ${name}.`
  }
}

const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** Rewords schema types for users: `string or array`. */
const plainTypes = (words: string): string =>
  words
    .split(' or ')
    .map((word) => TYPES[word] ?? word)
    .join(' or ')

const isNothing = (message: string): boolean => message === 'is required' || message === 'expected at least 1 character, got 0'

/** Turns a validation message into a sentence about `subject`. */
function said(subject: string, message: string): string {
  const [, wanted, given] = /^expected (.+), got (.+)$/s.exec(message) ?? []
  if (wanted !== undefined && given !== undefined) {
    const verb = /\d (character|item|field)s?$/.test(wanted) ? 'have' : 'be'
    return ended(`${subject} must ${verb} ${plainTypes(wanted)}, not ${plainTypes(given)}`)
  }
  return ended(/^(is|must|cannot|has|needs|applies|matches|contains) /.test(message) ? `${subject} ${message}` : `${subject}: ${message}`)
}

/** A tool's own message may already be a sentence, or start with the field's name. */
const isSentence = (message: string): boolean => /^[\p{Lu}“"`]/u.test(message)

/** The error message for a field. */
export function saidAt(property: Property, message: string): string {
  if (isNothing(message)) return askFor(property)
  return isSentence(message) || message.startsWith(`${property.name} `) ? ended(message) : said(`The ${property.name}`, message)
}

/** The error message for a path without a field. `''`: the whole input. */
export function saidOfPath(path: string, message: string): string {
  const subject = path ? `“${path}”` : 'The input'
  if (isNothing(message)) return path ? `Give ${subject}.` : 'Fill in the form.'
  return isSentence(message) ? ended(message) : said(subject, message)
}
