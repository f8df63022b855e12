/** A program of the contract, before what Node prints for it was recorded. */
export interface JsSource {
  readonly name: string
  /** Path -> content; the program is `main.mjs`, `main.cjs` or `main.ts`. */
  readonly files: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
}
