import type { Property } from './schema.js'

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** What is to be done where nothing was given. */
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

/** `string or array`: the words of a schema for a person. */
const plainTypes = (words: string): string =>
  words
    .split(' or ')
    .map((word) => TYPES[word] ?? word)
    .join(' or ')

const isNothing = (message: string): boolean => message === 'is required' || message === 'expected at least 1 character, got 0'

/** What is wrong with something, as a sentence that begins with what it is called. */
function said(subject: string, message: string): string {
  const [, wanted, given] = /^expected (.+), got (.+)$/s.exec(message) ?? []
  if (wanted !== undefined && given !== undefined) {
    const verb = /\d (character|item|field)s?$/.test(wanted) ? 'have' : 'be'
    return ended(`${subject} must ${verb} ${plainTypes(wanted)}, not ${plainTypes(given)}`)
  }
  return ended(/^(is|must|cannot|has|needs) /.test(message) ? `${subject} ${message}` : `${subject}: ${message}`)
}

/** What a tool says of itself may be a sentence already, or begin with the field's name. */
const isSentence = (message: string): boolean => /^[\p{Lu}“"`]/u.test(message)

/** What is wrong with the value of a field. */
export function saidAt(property: Property, message: string): string {
  if (isNothing(message)) return askFor(property)
  return isSentence(message) || message.startsWith(`${property.name} `) ? ended(message) : said(`The ${property.name}`, message)
}

/** What is wrong at a path that has no field of its own. `''`: with all of it. */
export function saidOfPath(path: string, message: string): string {
  const subject = path ? `“${path}”` : 'The input'
  if (isNothing(message)) return path ? `Give ${subject}.` : 'Fill in the form.'
  return isSentence(message) ? ended(message) : said(subject, message)
}
