/** One command line as an agent sends it, run in a fresh copy of the seed project. */
export interface Case {
  readonly script: string
  /** What the command reads on standard input; empty where left out. */
  readonly stdin?: string
}
