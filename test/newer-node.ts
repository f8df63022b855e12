import semver from 'semver'

/**
 * The path of Node 22.19 or later, for programs that need it. The variable CONFORMANCE_NODE names it if the tests run in an older version.
 * Undefined: there is none.
 */
export const NEWER_NODE: string | undefined =
  process.env.CONFORMANCE_NODE ?? (semver.gte(process.version, '22.19.0') ? process.execPath : undefined)
