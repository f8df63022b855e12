import type { ManifestEntry, Requirement } from 'toolport'

/** A call to show as code. */
export interface CodeCall {
  readonly entry: ManifestEntry
  readonly input: Readonly<Record<string, unknown>>
  /** Name of the tool's preset. */
  readonly preset: string
  readonly requires: readonly Requirement[]
  /** Whether the tool is a file of the workspace. */
  readonly isOwn: boolean
  /** For web search tools: the provider's origin and the preset's search options. */
  readonly search?: { readonly origin: string; readonly options: object } | undefined
  /** Small files that the call names; the workspace in the generated code starts with them. Relative path -> text. */
  readonly files: Readonly<Record<string, string>>
}

export interface CodeBlock {
  readonly title: string
  readonly language: 'json' | 'ts'
  readonly text: string
}

/** A format that renders a call as code. */
export interface CodeFormat {
  readonly name: string
  readonly about: string
  readonly blocks: (call: CodeCall) => readonly CodeBlock[]
}
