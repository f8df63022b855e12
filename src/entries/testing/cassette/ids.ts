const ID =
  '(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:chatcmpl|msg|toolu|srvtoolu|resp|fc|rs|call|req|run)[-_](?=[A-Za-z0-9]*[0-9])[A-Za-z0-9]{12,}|id_\\d{4,})'
const WHOLE_ID = new RegExp(`^${ID}$`)
const IDS_IN_TEXT = new RegExp(`(?<![A-Za-z0-9])${ID}(?![A-Za-z0-9])`, 'g')

/** Fields of a provider's protocol that hold an id. */
const ID_FIELD = /^(?:\w+_)?ids?$|Ids?$/
/** Fields with data of tools and users. Ids in them are content and stay unchanged. */
const DATA_FIELD = /^(?:args|arguments|value|result|functionResponse|function_response|metadata)$/

/** Numbers the random ids of providers and clients in order of appearance: `id_0001`. */
export class Ids {
  readonly #counted = new Map<string, string>()
  #last = 0

  /** Collects the ids of a model request or answer from its id fields. Skips inputs and outputs of tools. */
  learn(value: unknown, field = ''): void {
    if (typeof value === 'string') {
      if (ID_FIELD.test(field) && WHOLE_ID.test(value)) this.#count(value)
    } else if (Array.isArray(value)) for (const item of value) this.learn(item, field)
    else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
      for (const [name, below] of Object.entries(value)) if (!isData(name, below)) this.learn(below, name)
    }
  }

  /** The collected ids in a text, with their replacements. */
  *in(text: string): Generator<{ readonly start: number; readonly end: number; readonly by: string }> {
    for (const { 0: id, index: start } of text.matchAll(IDS_IN_TEXT)) {
      const by = this.#counted.get(id)
      if (by !== undefined) yield { start, end: start + id.length, by }
    }
  }

  #count(id: string): void {
    if (this.#counted.has(id)) return
    // The id comes from a replayed entry, so it already has its number.
    const written = /^id_(\d+)$/.exec(id)?.[1]
    this.#last = written === undefined ? this.#last + 1 : Math.max(this.#last, Number(written))
    this.#counted.set(id, written === undefined ? `id_${String(this.#last).padStart(4, '0')}` : id)
  }
}

/**
 * Whether a field contains data of tools or users. In OpenAI's Responses API, `input` is the list of messages; otherwise a tool's input.
 */
const isData = (name: string, below: unknown): boolean => DATA_FIELD.test(name) || (name === 'input' && !Array.isArray(below))
