import type { JsGrants } from '../../../src/types/js.js'
import type { SnapshotLimits } from './take-snapshot.js'

/** Options that all adapters with their own guest environment share. */
export interface ProgramOptions {
  /**
   * Limits of the files that a program can read synchronously. The adapter copies them before a program that uses `fs`. Default 32 MiB,
   * 10,000 files.
   */
  readonly snapshot?: SnapshotLimits
  /** The base environment of `process.env`. Default empty. */
  readonly env?: Readonly<Record<string, string>>
  /** Default grants. A program overrides them one by one. */
  readonly grants?: JsGrants
  /** Conditions for `exports` and `imports` maps. */
  readonly conditions?: readonly string[]
  /** Converts TypeScript to JavaScript and must keep line numbers. Default sucrase, if it is installed. */
  readonly transform?: (code: string, path: string) => string | Promise<string>
}
