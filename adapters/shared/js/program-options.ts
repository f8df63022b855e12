import type { JsGrants } from '../../../src/types/js.js'
import type { SnapshotLimits } from './take-snapshot.js'

/** What adapters with a guest of their own are given alike. */
export interface ProgramOptions {
  /** What a program can read at once, taken before it runs if it uses `fs`. Default 32 MiB, 10,000 files. */
  readonly snapshot?: SnapshotLimits
  /** The base of `process.env`. Default empty. */
  readonly env?: Readonly<Record<string, string>>
  /** For programs that name none of their own, one by one. */
  readonly grants?: JsGrants
  /** Of `exports` and `imports` maps. */
  readonly conditions?: readonly string[]
  /** TypeScript to JavaScript; lines stay lines. Default sucrase, where it is installed. */
  readonly transform?: (code: string, path: string) => string | Promise<string>
}
