export interface Match {
  readonly index: number
  readonly end: number
  /** The whole match first; undefined for a group that did not participate. */
  readonly groups: readonly (string | undefined)[]
}
