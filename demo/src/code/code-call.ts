import type { ManifestEntry, Requirement } from 'toolport'

/** A call that is shown as code. */
export interface CodeCall {
  readonly entry: ManifestEntry
  readonly input: Readonly<Record<string, unknown>>
  /** The preset that the tool is of. */
  readonly preset: string
  readonly requires: readonly Requirement[]
  /** The tool is a file of the workspace. */
  readonly isOwn: boolean
  /** The tool searches the web: where, and with which options of the preset. */
  readonly search?: { readonly origin: string; readonly options: object } | undefined
  /** The files that the call names, where they are small: what the workspace in the code begins with. Relative path -> text. */
  readonly files: Readonly<Record<string, string>>
}

export interface CodeBlock {
  readonly title: string
  readonly language: 'json' | 'ts'
  readonly text: string
}

/** One way to write a call down. */
export interface CodeFormat {
  readonly name: string
  readonly about: string
  readonly blocks: (call: CodeCall) => readonly CodeBlock[]
}
