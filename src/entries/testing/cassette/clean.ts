import type { JsonValue } from '../../../types/tool.js'

const REDACTED = '[redacted]'

/** Names of fields, headers and variables whose text is a secret. */
const SECRET_NAME = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|.*api[-_]?key|.*[-_]?(?:token|secret|password|passwd|credentials?))$/i

/** A shorter value of such a field is left out there alone: it may be a word of every text. */
const SHORTEST = 8

const isSecret = (name: string, field: unknown): field is string =>
  typeof field === 'string' && field !== REDACTED && SECRET_NAME.test(name)

/** Secrets by their form, wherever they stand; `$1` is kept. */
const SECRETS: readonly RegExp[] = [
  /(\bBearer\s+)[\w.~+/-]{8,}=*/g,
  /([?&](?:[\w-]*key|[\w-]*token|sig|signature|password)=)[^&#\s"]+/gi,
  /()\b(?:sk|pk|rk)-[\w-]{16,}/g,
  /()\b(?:ghp|gho|ghs|ghu|ghr|github_pat)_\w{20,}/g,
  /()\bA[KS]IA[0-9A-Z]{16}\b/g,
  /()\bxox[abeprs]-[\w-]{10,}/g,
  /()\bAIza[\w-]{35}/g,
  /()\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}/g,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(?=-----END)/g,
]

/** Ids that providers and clients draw anew each time. */
const IDS =
  /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:chatcmpl|msg|toolu|srvtoolu|resp|fc|rs|call|req|run)[-_](?=[A-Za-z0-9]*[0-9])[A-Za-z0-9]{12,}|id_\d{4,})\b/g

/** What goes into a cassette: secrets are gone, and ids are counted in the order in which they appear. */
export class Cleaner {
  readonly #secrets: readonly RegExp[]
  readonly #known = new Set<string>()
  readonly #ids = new Map<string, string>()
  #lastId = 0

  /** `redact`: secrets as they are, or patterns. */
  constructor(redact: readonly (string | RegExp)[]) {
    this.#secrets = [...SECRETS, ...redact.filter((secret) => secret !== '').map(patternOf)]
  }

  clean(value: unknown): JsonValue {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.clean(item))
    if (typeof value !== 'object' || value === null) return (value ?? null) as JsonValue
    const fields = Object.entries(value).filter(([, field]) => field !== undefined && typeof field !== 'function')
    // What has a secret's name is a secret wherever it stands from now on.
    for (const [name, field] of fields) if (isSecret(name, field) && field.length >= SHORTEST) this.#known.add(field)
    return Object.fromEntries(fields.map(([name, field]) => [name, isSecret(name, field) ? REDACTED : this.clean(field)]))
  }

  text(text: string): string {
    let cleaned = text
    for (const secret of this.#known) cleaned = cleaned.replaceAll(secret, REDACTED)
    for (const secret of this.#secrets)
      cleaned = cleaned.replace(secret, (_, kept: unknown) => `${typeof kept === 'string' ? kept : ''}${REDACTED}`)
    return cleaned.replace(IDS, (id) => this.#idOf(id))
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

/** A group of the caller's own pattern is not kept. */
function patternOf(secret: string | RegExp): RegExp {
  if (typeof secret === 'string') return new RegExp(`()${secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`, 'g')
  return new RegExp(`()(?:${secret.source})`, [...new Set(`${secret.flags.replace('y', '')}g`)].join(''))
}
