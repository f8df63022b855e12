import { FsError, InputError, NetworkError } from '../../errors/index.js'

/** Reason of a failed install, for programs: `details.reason` of the `InputError`. */
export type InstallFault =
  /** Invalid package name. */
  | 'name'
  /** Unsupported kind of dependency: git, files, tarballs. */
  | 'spec'
  /** The registry does not have the package. */
  | 'unknown_package'
  /** The registry has the package, but no matching version. */
  | 'no_version'
  /** Invalid or unsupported package.json or lock file. */
  | 'project'
  /** Invalid tarball. */
  | 'tarball'
  | 'limit'
  /** The project's own package manager failed. */
  | 'manager'

export function installError(reason: InstallFault, message: string, details: Readonly<Record<string, unknown>> = {}): InputError {
  return new InputError('invalid_input', message, { details: { reason, ...details } })
}

/** The error for an invalid response of the registry. */
export function registryError(message: string): NetworkError {
  return new NetworkError('network', message)
}

/** Whether the install continues if an optional dependency fails with this error. */
export function isUnavailable(error: unknown): error is InputError {
  if (!(error instanceof InputError)) return false
  const { reason } = error.details
  return reason === 'unknown_package' || reason === 'no_version' || reason === 'spec' || reason === 'name'
}

/** Adds the package to an error. Aborts and network errors stay unchanged. */
export function whileUnpacking(label: string, error: unknown): unknown {
  if (FsError.is(error)) {
    const { code, op, path, detail } = error
    return new FsError({ code, op, path: `${label}: ${path}`, ...(detail !== undefined && { detail }), cause: error })
  }
  if (!(error instanceof InputError)) return error
  const why = error.message.replace('Cannot read the archive: ', '')
  const { reason, entry } = error.details
  return installError('tarball', `Cannot unpack ${label}: ${why}`, { package: label, fault: reason, ...(entry !== undefined && { entry }) })
}

/** Quotes untrusted text on one line and limits its length. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text)
}
