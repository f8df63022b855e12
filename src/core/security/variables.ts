/** Variables that determine which program runs, what it loads, or what it does first. */
const EXACT = new Set(
  [
    'PATH IFS ENV BASH_ENV SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND CDPATH GLOBIGNORE FPATH ZDOTDIR SHELL HOME USERPROFILE XDG_CONFIG_HOME',
    'PAGER MANPAGER EDITOR VISUAL BROWSER LESSOPEN LESSCLOSE LESS MORE FCEDIT SSH_ASKPASS SUDO_ASKPASS SUDO_EDITOR TAR_OPTIONS RSYNC_RSH',
    'PERL5LIB PERL5OPT PERL5DB PERLLIB RUBYOPT RUBYLIB LUA_INIT LUA_PATH LUA_CPATH PHPRC PHP_INI_SCAN_DIR CLASSPATH JAVA_TOOL_OPTIONS',
    '_JAVA_OPTIONS JDK_JAVA_OPTIONS MAVEN_OPTS GRADLE_OPTS MAKEFLAGS MAKEFILES GNUMAKEFLAGS CC CXX LD AR CPP RUSTC RUSTC_WRAPPER RUSTFLAGS',
    'RUSTC_WORKSPACE_WRAPPER RUSTDOC RUSTDOCFLAGS GOFLAGS GOPATH GOROOT GOTOOLCHAIN OPENSSL_CONF OPENSSL_MODULES LOCPATH GCONV_PATH NLSPATH',
    'HOSTALIASES RESOLV_HOST_CONF MALLOC_TRACE TERMINFO TERMCAP POSIXLY_CORRECT GREP_OPTIONS COMSPEC PATHEXT PSMODULEPATH RIPGREP_CONFIG_PATH',
    'EXINIT VIMINIT GZIP ZIPOPT UNZIP CURL_HOME WGETRC INPUTRC BASH_LOADABLES_PATH EXECIGNORE NULLCMD READNULLCMD ELECTRON_RUN_AS_NODE',
  ].flatMap((line) => line.split(' ')),
)
/** Variables whose values shells evaluate as arithmetic: a subscript in a value, as in `RANDOM='a[$(x)]'`, runs a command. */
const CALCULATED = new Set(
  [
    'RANDOM SRANDOM SECONDS OPTIND OPTERR HISTCMD LINENO BASHPID EPOCHSECONDS EPOCHREALTIME DIRSTACK UID EUID GID EGID PPID SHLVL ERRNO',
    'COLUMNS LINES HISTSIZE SAVEHIST TMOUT KEYTIMEOUT LISTMAX MAILCHECK LOGCHECK DIRSTACKSIZE BAUD TTYIDLE FUNCNEST',
  ].flatMap((line) => line.split(' ')),
)
const FAMILIES =
  /^(?:LD_|DYLD_|GIT_|BASH_FUNC_|PYTHON|NODE_|NPM_CONFIG_|YARN_|PNPM_|CARGO_|PIP_|RUSTUP_|UV_|GCONV_|LC_ALL_PATH|BUN_|DENO_|GEM_|BUNDLE_|DOCKER_|LUA_INIT)/
/** Members of `FAMILIES` that cannot change which code runs. */
const HARMLESS =
  /^(?:GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|GIT_TERMINAL_PROMPT|GIT_MERGE_AUTOEDIT|GIT_OPTIONAL_LOCKS|GIT_LITERAL_PATHSPECS|PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|IOENCODING|UTF8|HASHSEED|FAULTHANDLER)|NODE_(?:ENV|DEBUG|NO_WARNINGS|DISABLE_COLORS)|CARGO_(?:TERM_[A-Z_]+|INCREMENTAL|NET_OFFLINE|BUILD_JOBS|PROFILE_[A-Z_]+))$/

/** Whether the variable may change which code runs. Ignores case, because some systems do. */
export function isDecisive(name: string): boolean {
  const upper = name.toUpperCase()
  if (!/^[A-Z_]\w*$/.test(upper)) return true
  return EXACT.has(upper) || (FAMILIES.test(upper) && !HARMLESS.test(upper))
}

/** Whether a value is harmless for a variable that `isDecisive` accepts. */
export function isHarmlessValue(name: string, value: string, isInWorkspace: (path: string) => boolean): boolean {
  if (/^(?:GIT_)?(?:PAGER|EDITOR)$/.test(name)) return value === '' || value === 'cat' || value === 'true'
  if (name === 'PATH' || name === 'SHELL' || name === 'HOME')
    return value.split(':').every((path) => isElsewhere(path) && !isInWorkspace(path))
  return false
}

/** Whether a shell may evaluate the value of a variable as arithmetic. Undefined means an unknown value. A plain number is harmless. */
export const isCalculated = (name: string, value: string | undefined): boolean =>
  CALCULATED.has(name) && (value === undefined || !/^\d*$/.test(value))

/** Whether a path is a place where an agent cannot put a program. */
const isElsewhere = (path: string): boolean =>
  path.startsWith('/') && !path.split('/').includes('..') && !/^\/+(?:private\/+)?(?:tmp|var\/+tmp|dev)(?:\/|$)/.test(path)
