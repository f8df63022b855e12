/**
 * The environment for native git: none of the machine's git settings, and no repository except that of the working directory. A git hook
 * sets `GIT_DIR`, which would name the repository of these sources. `GIT_DISCOVERY_ACROSS_FILESYSTEM`: the temporary folder may be a
 * separate file system, about which git would print a message.
 */
export function gitEnvironment(home: string, more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => name === 'GIT_EXEC_PATH' || !name.toUpperCase().startsWith('GIT_'))
  // The formats that the library supports, even if a later git changes its defaults.
  const formats = { GIT_DEFAULT_HASH: 'sha1', GIT_DEFAULT_REF_FORMAT: 'files' }
  const places = { GIT_CONFIG_NOSYSTEM: '1', GIT_DISCOVERY_ACROSS_FILESYSTEM: '1', HOME: home, XDG_CONFIG_HOME: home }
  return { ...Object.fromEntries(own), ...formats, ...places, LC_ALL: 'C', ...more }
}
