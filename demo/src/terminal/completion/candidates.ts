import type { Quote } from './quoting.js'
import type { Ending, Unit } from './scan.js'
import type { Entry, Sources } from './sources.js'

export interface Candidate {
  readonly name: string
  readonly isDir: boolean
}

/** The end of a word that names are looked for, with those that fit. */
export interface Found {
  /** Where in the text it begins. */
  readonly start: number
  /** What is typed of the name. */
  readonly typed: string
  /** The quote that is open where it begins. */
  readonly quote: Quote
  readonly candidates: readonly Candidate[]
}

type Word = Extract<Ending, { kind: 'word' }>
type Filter = 'all' | 'dirs'

const ONLY_DIRS = new Set(['cd', 'pushd', 'rmdir'])
/** Of so many links at the most it is looked up where they lead to. */
const MAX_LINKS = 200

/** What a word can become; empty where nothing fits. */
export async function candidatesOf(word: Word, sources: Sources): Promise<Found | undefined> {
  const { place } = word
  for (const part of partsOf(word)) {
    if (place.role === 'argument') {
      const filter = place.command !== undefined && ONLY_DIRS.has(place.command) ? 'dirs' : 'all'
      const found = await pathsOf(part, filter, sources)
      if (found) return found
      continue
    }
    const found = (await commandsOf(part, word, sources)) ?? (await pathsOf(part, isCommand(part, word) ? 'dirs' : 'all', sources))
    if (found) return found
  }
  return undefined
}

/** A word, or what comes in it behind a `=` or a `:`. */
interface Part {
  readonly start: number
  readonly units: readonly Unit[]
}

/** As they are tried: `--file=src/a` may be a name, and else `src/a` is one. */
function partsOf({ start, units }: Word): readonly Part[] {
  const at = units.findLastIndex(({ isBare, text }) => isBare && (text === '=' || text === ':'))
  const whole = { start, units }
  const mark = units[at]
  return mark ? [whole, { start: mark.end, units: units.slice(at + 1) }] : [whole]
}

/** A name without a path, which may be one of a command. */
function isCommand(part: Part, { start }: Word): boolean {
  return part.start === start && !part.units.some(({ text, isVariable }) => text === '/' || isVariable)
}

async function commandsOf(part: Part, word: Word, sources: Sources): Promise<Found | undefined> {
  if (!isCommand(part, word)) return undefined
  const typed = textOf(part.units)
  const { commands } = await sources.names()
  const candidates = commands.filter((name) => name.startsWith(typed)).map((name) => ({ name, isDir: false }))
  return candidates.length === 0 ? undefined : { start: part.start, typed, quote: '', candidates }
}

async function pathsOf({ start, units }: Part, filter: Filter, sources: Sources): Promise<Found | undefined> {
  const slash = units.findLastIndex(({ text, isVariable }) => text === '/' && !isVariable)
  const base = units.slice(slash + 1)
  if (base.some(({ isVariable }) => isVariable)) return undefined
  const typed = textOf(base)
  const at = { start: units[slash]?.end ?? start, typed, quote: units[slash]?.quote ?? '' } as const
  if (slash < 0 && typed === '~' && base[0]?.isBare) return { ...at, candidates: [{ name: '~', isDir: true }] }
  const dir = await folderOf(units.slice(0, slash + 1), sources)
  const entries = named(typed, await sources.entries(dir))
  const links = entries.filter(({ kind }) => kind === 'link').slice(0, MAX_LINKS)
  const folders = new Set(await onlyDirs(links, dir, sources))
  const candidates = entries
    .map((entry) => ({ name: entry.name, isDir: entry.kind === 'dir' || folders.has(entry) }))
    .filter(({ isDir }) => isDir || filter === 'all')
  return candidates.length === 0 ? undefined : { ...at, candidates }
}

/** Those that a name which begins so can be of. Hidden ones have to be asked for. */
function named(typed: string, entries: readonly Entry[]): readonly Entry[] {
  const fitting = entries.filter(({ name }) => name.startsWith(typed) && (typed !== '' || !name.startsWith('.')))
  const dots = ['.', '..'].filter((name) => typed !== '' && name.startsWith(typed))
  return [...dots.map((name): Entry => ({ name, kind: 'dir' })), ...fitting]
}

async function onlyDirs(links: readonly Entry[], dir: string, sources: Sources): Promise<Entry[]> {
  const are = await Promise.all(links.map(({ name }) => sources.isDir(`${dir}${name}`)))
  return links.filter((_, index) => are[index])
}

/** The folder that the units name, down to its `/`. */
async function folderOf(units: readonly Unit[], sources: Sources): Promise<string> {
  const isHome = units[0]?.isBare && units[0].text === '~' && units[1]?.text === '/'
  const rest = isHome ? units.slice(1) : units
  const texts = await Promise.all(rest.map(({ text, isVariable }) => (isVariable ? sources.valueOf(text) : text)))
  return `${isHome ? await sources.valueOf('HOME') : ''}${texts.join('')}`
}

const textOf = (units: readonly Unit[]): string => units.map(({ text }) => text).join('')
