/** A program of the contract, without Node's recorded output. */
export interface JsSource {
  readonly name: string
  /** Path -> content; the program is `main.mjs`, `main.cjs` or `main.ts`. */
  readonly files: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
}
