/** Cases by title. They run for adapters that have all parts of `needs` and none of `lacks`. */
export interface CaseGroup<Part extends string, Case> {
  readonly needs?: readonly Part[]
  readonly lacks?: readonly Part[]
  readonly cases: Readonly<Record<string, Case>>
}
