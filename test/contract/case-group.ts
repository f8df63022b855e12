/** Cases by title, for adapters that have all the parts of `needs`, and none of `lacks`. */
export interface CaseGroup<Part extends string, Case> {
  readonly needs?: readonly Part[]
  readonly lacks?: readonly Part[]
  readonly cases: Readonly<Record<string, Case>>
}
