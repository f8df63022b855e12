export interface Match {
  readonly index: number
  readonly end: number
  /** The whole match first; undefined for a group that took no part. */
  readonly groups: readonly (string | undefined)[]
}
