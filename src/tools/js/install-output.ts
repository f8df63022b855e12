import { headTail } from '../../ops/truncate.js'
import type { ManagedReport } from '../../packages/install/manager.js'
import type { InstalledPackage, InstallReport, InstallWarningKind } from '../../packages/install/options.js'

export interface ShownPackage {
  readonly name: string
  readonly version: string
  /** Virtual path of its directory. */
  readonly path: string
}

export interface ShownWarning {
  readonly kind: InstallWarningKind
  readonly name: string
  readonly version: string
  readonly message: string
}

export interface InstalledOutput {
  /** What was asked for by name. */
  readonly installed: readonly ShownPackage[]
  /** Packages of the tree: how many were put there, replaced, taken away, and stayed. */
  readonly added: number
  readonly updated: number
  readonly removed: number
  readonly unchanged: number
  /** Written, of packages; where that is known. */
  readonly files?: number
  readonly bytes?: number
  readonly warnings: readonly ShownWarning[]
  /** Of `warnings`; the first ones are listed. */
  readonly warnings_total: number
  /** Where there is one. */
  readonly lockfile?: string
  /** The package manager that did it, where that was not what is built in. */
  readonly package_manager?: string
  readonly cwd: string
  readonly duration_ms: number
}

const MOST_WARNINGS = 50

export function installedOutput(report: InstallReport | ManagedReport, cwd: string, durationMs: number): InstalledOutput {
  const { requested, added, updated, removed, unchanged, warnings, lockfile } = report
  return {
    installed: requested.map(shownPackage),
    added: added.length,
    updated: updated.length,
    removed: removed.length,
    unchanged,
    ...('files' in report && { files: report.files, bytes: report.bytes }),
    warnings: warnings.slice(0, MOST_WARNINGS).map(({ kind, name, version, message }) => ({ kind, name, version, message })),
    warnings_total: warnings.length,
    ...(lockfile !== undefined && { lockfile }),
    ...('manager' in report && { package_manager: report.manager }),
    cwd,
    duration_ms: durationMs,
  }
}

const shownPackage = ({ name, version, path }: InstalledPackage): ShownPackage => ({ name, version, path })

/** What is there now, what changed for it, and what will not work. */
export function renderInstalled(output: InstalledOutput, maxBytes: number): string {
  const { installed, warnings, warnings_total } = output
  const rest = warnings_total - warnings.length
  const text = [
    ...(installed.length === 0
      ? ['Everything that package.json asks for is installed']
      : installed.map((each) => `${each.name}@${each.version}`)),
    ...warnings.map(({ message }) => `[warning] ${message}`),
    ...(rest > 0 ? [`[${rest} more warnings]`] : []),
    `[${countsOf(output)}]`,
  ].join('\n')
  return headTail(text, maxBytes, (bytes) => `\n[... ${bytes} bytes left out ...]\n`).text
}

function countsOf({ added, updated, removed, unchanged, duration_ms }: InstalledOutput): string {
  const counts = Object.entries({ added, updated, removed, unchanged }).filter(([, count]) => count > 0)
  return [...counts.map(([what, count]) => `${count} ${what}`), `${duration_ms} ms`].join(', ')
}
