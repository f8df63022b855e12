/** Shorter words are not keys, and stand in too many texts. */
const SHORTEST = 8

/** The words of header values: of `Bearer abc...` the key alone is a secret too. */
export function secretsIn(headers: Readonly<Record<string, string>>): readonly string[] {
  const values = Object.values(headers).flatMap((value) => [value, ...value.split(/\s+/)])
  return [...new Set(values)].filter((value) => value.length >= SHORTEST).sort((a, b) => b.length - a.length)
}

/** The text without these: a service may send back what it was sent. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '[key]').replaceAll(encodeURIComponent(secret), '[key]'), text)
}

/** Answers are flat; what lies deeper is read by nobody. */
const DEEPEST = 20

/** Parsed JSON without these in any of its texts. It has to be done before a text is cut: half a key is not found any more. */
export function redacted(value: unknown, secrets: readonly string[], depth = 0): unknown {
  if (secrets.length === 0) return value
  if (typeof value === 'string') return withoutSecrets(value, secrets)
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) return undefined
  if (Array.isArray(value)) return value.map((each) => redacted(each, secrets, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, redacted(each, secrets, depth + 1)]))
}
