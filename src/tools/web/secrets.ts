/** Minimum length of a secret. Shorter words are not keys, and occur in too many texts. */
const SHORTEST = 8

/** Returns the secrets in header values: the values and their words, because in `Bearer abc...` the key alone is a secret too. */
export function secretsIn(headers: Readonly<Record<string, string>>): readonly string[] {
  const values = Object.values(headers).flatMap((value) => [value, ...value.split(/\s+/)])
  return [...new Set(values)].filter((value) => value.length >= SHORTEST).sort((a, b) => b.length - a.length)
}

/** Removes secrets from a text, because a service may return its request. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '[key]').replaceAll(encodeURIComponent(secret), '[key]'), text)
}

/** Maximum depth of a response. Responses are flat, so deeper values are dropped. */
const DEEPEST = 20

/** Removes secrets from all texts in parsed JSON. Call this before texts are truncated, because half a key would not be found. */
export function redacted(value: unknown, secrets: readonly string[], depth = 0): unknown {
  if (secrets.length === 0) return value
  if (typeof value === 'string') return withoutSecrets(value, secrets)
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) return undefined
  if (Array.isArray(value)) return value.map((each) => redacted(each, secrets, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, redacted(each, secrets, depth + 1)]))
}
