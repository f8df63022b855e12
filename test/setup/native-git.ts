/**
 * What native git is run with: nothing of the machine's own settings, and no repository but the one it is run in. Run from a hook, `GIT_DIR`
 * would otherwise name the repository of these sources.
 */
export function gitEnvironment(home: string, more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => name === 'GIT_EXEC_PATH' || !name.toUpperCase().startsWith('GIT_'))
  // What the library reads, whatever a later git makes by default.
  const formats = { GIT_DEFAULT_HASH: 'sha1', GIT_DEFAULT_REF_FORMAT: 'files' }
  return { ...Object.fromEntries(own), ...formats, GIT_CONFIG_NOSYSTEM: '1', HOME: home, XDG_CONFIG_HOME: home, LC_ALL: 'C', ...more }
}
