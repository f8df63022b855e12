/**
 * What native git is run with: nothing of the machine's own settings, and no repository but the one it is run in. Run from a hook, `GIT_DIR`
 * would otherwise name the repository of these sources.
 */
export function gitEnvironment(home: string, more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => name === 'GIT_EXEC_PATH' || !name.toUpperCase().startsWith('GIT_'))
  return { ...Object.fromEntries(own), GIT_CONFIG_NOSYSTEM: '1', HOME: home, XDG_CONFIG_HOME: home, LC_ALL: 'C', ...more }
}
