export { InputError, JsError, NetworkError, PolicyError, RegistryError, ShellError, UnsupportedError, WorkspaceError } from './errors.js'
export { FsError, type FsErrorCode, hasCode, ignoreCodes } from './fs-error.js'
export { ERROR_TABLE } from './table.js'
