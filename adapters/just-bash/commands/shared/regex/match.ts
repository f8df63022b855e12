export interface Match {
  readonly index: number
  readonly end: number
  /** The whole match, then the groups. A group that did not participate is undefined. */
  readonly groups: readonly (string | undefined)[]
}
