import { toModelText } from '../../core/result.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { CallContext } from '../../types/runtime.js'
import type { ContentPart, ToolResult, ToolSuccess } from '../../types/tool.js'
import type { Workspace } from '../../types/workspace.js'

/** Ends a call with an error text for the model. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** Runs the runtime's tools for one call of an Anthropic tool. */
export class Operations {
  readonly workspace: Workspace
  readonly #runtime: ToolRuntime
  readonly #id: string | undefined
  readonly #context: CallContext
  #count = 0

  constructor(runtime: ToolRuntime, { id, ...context }: CallContext & { readonly id?: string }) {
    this.workspace = runtime.workspace
    this.#runtime = runtime
    this.#id = id
    this.#context = context
  }

  /** Runs a tool. Never rejects. */
  attempt(name: string, input: unknown): Promise<ToolResult> {
    this.#count++
    const id = this.#id === undefined || this.#count === 1 ? this.#id : `${this.#id}.${this.#count}`
    return this.#runtime.execute({ name, input, ...(id !== undefined && { id }) }, this.#context)
  }

  /** Runs a tool. @throws Refused with the error text */
  async run(name: string, input: unknown): Promise<ToolSuccess> {
    const result = await this.attempt(name, input)
    if (result.ok) return result
    throw new Refused(toModelText(result))
  }
}

export const textOnly = (text: string): readonly ContentPart[] => [{ type: 'text', text }]
