import type { JsonValue } from '../../../types/tool.js'

const REDACTED = '[redacted]'

/** Names of fields, headers and variables whose value is a secret. */
const SECRET_NAME =
  /^(?:(?:proxy-)?authorization|auth|(?:set-)?cookie|jwt|sessionid|pgpass|database_url|.*(?:api|access|private|secret)[-_]?key|.*[-_]?(?:token|secret|password|passwd|passphrase|credentials?))$/i

/** No plain word, which may stand in every text: such a value is left out wherever it stands. */
const isTelling = (value: string): boolean => value.length >= 16 || (value.length >= 8 && /[^a-z]/i.test(value))

const isSecret = (name: string, field: unknown): boolean =>
  (typeof field === 'string' || typeof field === 'number' || Array.isArray(field)) && field !== REDACTED && SECRET_NAME.test(name)

/** Secrets by their form, wherever they stand; `$1` is kept. */
const SECRETS: readonly RegExp[] = [
  /(\bBearer\s+)[\w.~+/-]{8,}=*/g,
  /(\bBasic\s+)[\w+/-]{8,}=*/g,
  /([?&](?:[\w-]*key|[\w-]*token|sig|signature|password)=)[^&#\s"]+/gi,
  /(:\/\/[^\s/:@"']*:)[^\s/@"']+(?=@)/g,
  // `API_TOKEN=...`, `"password": "..."`, `X-Api-Key: ...`, also as text of JSON.
  /([\w-]*(?:(?:api|access|private|secret)[-_]?key|token|secret|password|passwd|passphrase)["'\\]*\s*[=:]\s*["'\\]*)(?=[\w.~+/-]*\d)(?=[\w.~+/-]*[a-z])[\w.~+/-]{8,}=*/gi,
  /()\b(?:sk|pk|rk)-[\w-]{16,}/g,
  /()\b(?:sk|pk|rk|whsec)_(?:(?:live|test)_)?\w{16,}/g,
  /()\b(?:ghp|gho|ghs|ghu|ghr|github_pat|npm|hf)_\w{20,}/g,
  /()\bglpat-[\w-]{16,}/g,
  /()\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
  /()\bA[KS]IA[0-9A-Z]{16}\b/g,
  /()\bxox[abeprs]-[\w-]{10,}/g,
  /()\bAIza[\w-]{35}/g,
  /()\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}/g,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(?=-----END|$)/g,
]

/** Ids that providers and clients draw anew each time. */
const IDS =
  /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:chatcmpl|msg|toolu|srvtoolu|resp|fc|rs|call|req|run)[-_](?=[A-Za-z0-9]*[0-9])[A-Za-z0-9]{12,}|id_\d{4,})\b/g

/** What goes into a cassette: secrets are gone, and ids are counted in the order in which they appear. */
export class Cleaner {
  readonly #own: readonly RegExp[]
  readonly #known = new Set<string>()
  readonly #ids = new Map<string, string>()
  #lastId = 0

  /** `redact`: secrets as they are, or patterns. */
  constructor(redact: readonly (string | RegExp)[]) {
    this.#own = redact.filter((secret) => secret !== '').flatMap(patternsOf)
  }

  clean(value: unknown): JsonValue {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.clean(item))
    // What JSON keeps of a number: a recording is compared with what was read from one.
    if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null) return (value ?? null) as JsonValue
    const fields = Object.entries(value).filter(([, field]) => field !== undefined && typeof field !== 'function')
    // What has a secret's name is a secret wherever it stands from now on.
    for (const [name, field] of fields) if (isSecret(name, field)) this.#remember(field)
    return Object.fromEntries(fields.map(([name, field]) => [this.#redacted(name), isSecret(name, field) ? REDACTED : this.clean(field)]))
  }

  #remember(field: unknown): void {
    for (const secret of Array.isArray(field) ? field : [field]) {
      if (typeof secret !== 'string' || !isTelling(secret)) continue
      this.#known.add(secret).add(escaped(secret))
    }
    // The longest first: one may begin with another.
    const sorted = [...this.#known].sort((a, b) => b.length - a.length)
    this.#known.clear()
    for (const secret of sorted) this.#known.add(secret)
  }

  text(text: string): string {
    return this.#redacted(text).replace(IDS, (id) => this.#idOf(id))
  }

  #redacted(text: string): string {
    let cleaned = text
    for (const secret of this.#known) cleaned = cleaned.replaceAll(secret, REDACTED)
    for (const secret of SECRETS) cleaned = cleaned.replace(secret, (_, kept: string) => kept + REDACTED)
    for (const secret of this.#own) cleaned = cleaned.replace(secret, REDACTED)
    return cleaned
  }

  #idOf(id: string): string {
    const known = this.#ids.get(id)
    if (known !== undefined) return known
    const written = /^id_(\d{4,})$/.exec(id)?.[1]
    this.#lastId = written === undefined ? this.#lastId + 1 : Math.max(this.#lastId, Number(written))
    const counted = written === undefined ? `id_${String(this.#lastId).padStart(4, '0')}` : id
    this.#ids.set(id, counted)
    return counted
  }
}

/** As it stands in the text of JSON. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

/** A secret as it is and in the text of JSON, or the caller's own pattern. */
function patternsOf(secret: string | RegExp): readonly RegExp[] {
  if (typeof secret !== 'string') return [new RegExp(secret.source, [...new Set(`${secret.flags.replace('y', '')}g`)].join(''))]
  return [...new Set([secret, escaped(secret)])].map((text) => new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'g'))
}
