/** Commands that a policy allows by default. */
export const DEFAULT_ALLOWED_COMMANDS: readonly string[] = [
  ...['git', 'npm', 'cargo', 'ls', 'cat', 'grep', 'find', 'echo', 'pwd', 'wc', 'head', 'tail', 'date', 'df', 'du', 'uname', 'uptime'],
  ...['hostname', 'python', 'python3', 'pip', 'node', 'free'],
]

/** Paths that a policy forbids by default, with everything below them. */
export const DEFAULT_FORBIDDEN_PATHS: readonly string[] = [
  ...['/etc', '/root', '/home', '/usr', '/bin', '/sbin', '/lib', '/opt', '/boot', '/dev', '/proc', '/sys', '/var', '/tmp'],
  ...['~/.ssh', '~/.gnupg', '~/.aws', '~/.config'],
]
