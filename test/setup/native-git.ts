/**
 * What native git is run with: nothing of the machine's own settings, and no repository but the one it is run in. Run from a hook, `GIT_DIR`
 * would otherwise name the repository of these sources. The folder for temporary files may be a file system of its own, of which git would speak.
 */
export function gitEnvironment(home: string, more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => name === 'GIT_EXEC_PATH' || !name.toUpperCase().startsWith('GIT_'))
  // What the library reads, whatever a later git makes by default.
  const formats = { GIT_DEFAULT_HASH: 'sha1', GIT_DEFAULT_REF_FORMAT: 'files' }
  const places = { GIT_CONFIG_NOSYSTEM: '1', GIT_DISCOVERY_ACROSS_FILESYSTEM: '1', HOME: home, XDG_CONFIG_HOME: home }
  return { ...Object.fromEntries(own), ...formats, ...places, LC_ALL: 'C', ...more }
}
