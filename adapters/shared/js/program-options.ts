import type { JsGrants } from '../../../src/types/js.js'
import type { SnapshotLimits } from './take-snapshot.js'

/** Options that all adapters with their own guest environment share. */
export interface ProgramOptions {
  /**
   * Limits of the files that a program can read synchronously. Before a program that uses `fs` starts, the adapter copies these files.
   * Default: 32 MiB of content, 10,000 entries.
   */
  readonly snapshot?: SnapshotLimits
  /** Variables for `process.env` of every program. A program's own variables override them. Default: none. */
  readonly env?: Readonly<Record<string, string>>
  /** Default grants. Each grant that a program specifies replaces the default for that grant. */
  readonly grants?: JsGrants
  /** Conditions that apply in the `exports` and `imports` maps of packages. */
  readonly conditions?: readonly string[]
  /** Converts TypeScript to JavaScript. Must keep line numbers. Default: sucrase, if it is installed. */
  readonly transform?: (code: string, path: string) => string | Promise<string>
}
