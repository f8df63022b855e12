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
