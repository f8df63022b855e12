import { normalDomain } from '../../tools/web/domains.js'
import { ProxyError } from './answers.js'

const LONGEST_QUERY = 2000
const MOST_DOMAINS = 100

const wrong = (message: string): ProxyError => new ProxyError('invalid_request', message)

/** One spelling for what asks the same. @throws {ProxyError} */
export function queryField(value: unknown, name = 'query'): string {
  if (typeof value !== 'string') throw wrong(`"${name}" must be text`)
  const query = value.normalize('NFC').replace(/\s+/g, ' ').trim()
  if (query === '') throw wrong(`"${name}" must not be empty`)
  if (query.length > LONGEST_QUERY) throw wrong(`"${name}" is longer than ${LONGEST_QUERY} characters`)
  return query
}

/** @throws {ProxyError} */
export function countField(value: unknown, name: string, bounds: { readonly most: number; readonly byDefault: number }): number {
  if (value === undefined) return bounds.byDefault
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= bounds.most) return value as number
  throw wrong(`"${name}" must be a whole number from 1 to ${bounds.most}`)
}

/** @throws {ProxyError} */
export function choiceField<const Choice extends string>(value: unknown, name: string, choices: readonly [Choice, ...Choice[]]): Choice {
  if (value === undefined) return choices[0]
  const choice = choices.find((known) => known === value)
  if (choice === undefined) throw wrong(`"${name}" must be one of ${choices.join(', ')}`)
  return choice
}

/** @throws {ProxyError} */
export function domainsField(value: unknown, name: string): readonly string[] {
  if (value === undefined) return []
  const given: readonly unknown[] = Array.isArray(value) ? value : [undefined]
  const domains = given.map((domain) => (typeof domain === 'string' ? normalDomain(domain.trim()) : undefined))
  if (given.length > MOST_DOMAINS || domains.includes(undefined)) throw wrong(`"${name}" must be a list of at most ${MOST_DOMAINS} domains`)
  return [...new Set(domains as string[])].sort()
}
