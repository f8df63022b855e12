import { FsError, InputError, NetworkError } from '../../errors/index.js'

/** Why an install was refused, for programs: `details.reason` of the `InputError`. */
export type InstallFault =
  /** A name that no package can have. */
  | 'name'
  /** A kind of dependency that cannot be had here: git, files, tarballs. */
  | 'spec'
  /** The registry knows no such package. */
  | 'unknown_package'
  /** It knows the package, and no version that fits. */
  | 'no_version'
  /** package.json or the lock file cannot be used as it is. */
  | 'project'
  /** A tarball that cannot be unpacked. */
  | 'tarball'
  | 'limit'
  /** The project's own package manager failed. */
  | 'manager'

export function installError(reason: InstallFault, message: string, details: Readonly<Record<string, unknown>> = {}): InputError {
  return new InputError('invalid_input', message, { details: { reason, ...details } })
}

/** What the registry said is not what it should be. */
export function registryError(message: string): NetworkError {
  return new NetworkError('network', message)
}

/** Optional dependencies may fail for these reasons, and the install goes on. */
export function isUnavailable(error: unknown): error is InputError {
  if (!(error instanceof InputError)) return false
  const { reason } = error.details
  return reason === 'unknown_package' || reason === 'no_version' || reason === 'spec' || reason === 'name'
}

/** In the words of an install: which package it is about. Aborts and faults of the network stay as they are. */
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

/** On one line, in quotes, and not too long: it may be hostile. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text)
}
