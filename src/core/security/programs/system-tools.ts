import { FINE, type Inspect, MEDIUM, without } from './inspection.js'

const RUNS = 'runs another program'
const LISTS = 'reads unchecked file names from a file'
const FILES_FROM = ['--files0-from']

const inspectDate: Inspect = (args) => {
  const set = args.find(({ text }) => /^(?:-[uR]*s|--s)/.test(text) || /^\d/.test(text))
  if (set && !/^\d/.test(args[args.indexOf(set) - 1]?.text ?? '') && !isDateValue(args[args.indexOf(set) - 1]?.text)) {
    return { problem: `with "${set.text}" sets the clock` }
  }
  return { texts: new Set(args.filter(({ text }, i) => text.startsWith('+') && !isDateValue(args[i - 1]?.text))) }
}

/** Whether the previous argument is an option that takes a value. */
const isDateValue = (text: string | undefined): boolean => text !== undefined && /^(?:-[a-z]*[drfv]|--(?:date|reference|file))$/.test(text)

const inspectHostname: Inspect = (args) => {
  const sets = args.find(
    ({ text }) => !/^-[AadfIisyVh]+$/.test(text) && !/^--(?:all-|fqdn|long|ip-|short|domain|alias|version|help)/.test(text),
  )
  return sets ? { problem: `with "${sets.text}" sets the name of the machine` } : FINE
}

/** Inspects `cd`. Requires an explicit directory: `cd` alone goes to the home directory, and `cd -` to the previous one. */
const inspectCd: Inspect = (args) =>
  args.filter(({ text }) => !/^-[LPe]+$/.test(text)).length === 1 && args.at(-1)?.text !== '-'
    ? FINE
    : { problem: 'needs exactly one directory' }

/** Inspects `make`. Rejects most `NAME=value` arguments, because make runs programs that its variables name. */
const inspectMake: Inspect = (args, name) => {
  const sets = args.find(({ text }) => /^[A-Za-z_.]\w*[:+?]*=/.test(text) && !/^[A-Z_]+=[\w.,+-]*$/.test(text))
  if (sets || args.some(({ text }) => /^(?:SHELL|MAKE|CC|CXX|LD|AR|CPP|AS)=/.test(text)))
    return { problem: 'with variables can run another program' }
  return without(['-E', '--eval'], RUNS)(args, name)
}

const inspectSqlite: Inspect = (args) => {
  const hit = args.find(
    ({ text }) =>
      /^[^\S\n]*\./m.test(text) || /^--?(?:cmd|init|A|zip)/.test(text) || /load_extension|writefile|readfile|\bedit\(|attach/i.test(text),
  )
  return hit ? { problem: 'with commands of its shell can run or write something else' } : MEDIUM
}

const TAR = [
  ...['--to-command', '--checkpoint-action', '--use-compress-program', '--rsh-command', '--info-script', '--new-volume-script'],
  ...['--rmt-command', '--files-from', '-I', '-F', '-T'],
]

/** Inspects `tar`. Checks every letter of joined options, with a dash (`-xIf`) or without (`xIf`). */
const inspectTar: Inspect = (args, name) => {
  const cluster = args.find(({ text }, i) => /^-?[A-Za-z]*[IFT]/.test(text) && (text.startsWith('-') || i === 0) && !text.startsWith('--'))
  if (cluster) return { problem: `with "${cluster.text}" may run another program` }
  if (args.some(({ text }) => /^(?:-[A-Za-z]*P|--abs)/.test(text)))
    return { problem: 'with absolute names may write outside of the workspace' }
  return without(TAR, 'may run another program', MEDIUM)(args, name)
}

export const SYSTEM_TOOLS: Readonly<Record<string, Inspect>> = {
  date: inspectDate,
  hostname: inspectHostname,
  make: inspectMake,
  gmake: inspectMake,
  sqlite3: inspectSqlite,
  tar: inspectTar,
  bsdtar: inspectTar,
  gtar: inspectTar,
  wc: without(FILES_FROM, LISTS),
  du: without([...FILES_FROM], LISTS),
  sort: without([...FILES_FROM, '--compress-program'], 'runs another program or reads files that are not checked'),
  split: without(['--filter'], RUNS),
  zip: without(['-T', '-@', '--unzip-command'], RUNS, MEDIUM),
  rsync: without(['-e', '--rsh', '--rsync-path', '--files-from'], RUNS, MEDIUM),
  cpio: without(['--rsh-command', '--to-stdout'], RUNS, MEDIUM),
  install: without(['--strip-program'], RUNS, MEDIUM),
  man: without(['-P', '--pager', '-H', '--html', '-X', '--gxditview', '-T'], RUNS),
  less: without(['+', '-k', '--lesskey', '-o', '-O', '--log-file', '--LOG-FILE', '-J', '-p', '-P'], 'can run another program'),
  more: without(['+', '-p'], 'can run another program'),
  rg: without(['--pre', '--hostname-bin', '-z', '--search-zip', '--config'], RUNS, FINE, ['no-config', 'pretty']),
  ag: without(['--pager'], RUNS),
  ack: without(['--pager'], RUNS),
  fd: without(['-x', '-X', '--exec', '--exec-batch'], RUNS),
  gcc: without(['-wrapper', '-fplugin', '-specs', '--specs', '-B', '@'], RUNS),
  cc: without(['-wrapper', '-fplugin', '-specs', '--specs', '-B', '@'], RUNS),
  clang: without(['-fplugin', '-Xclang', '-load', '-B', '@'], RUNS),
  yq: without(['--split-exp'], 'writes files'),
  diff: without(['-l', '--paginate'], RUNS),
  tail: without(['--pid'], 'waits for another program', FINE),
  test: () => FINE,
  '[': () => FINE,
  cd: inspectCd,
  pushd: inspectCd,
}
