import type { Quote } from './quoting.js'
import type { Ending, Unit } from './scan.js'
import type { Entry, Sources } from './sources.js'

export interface Candidate {
  readonly name: string
  readonly isDir: boolean
}

/** The part of a word that is completed, and its candidates. */
export interface Found {
  /** Start offset in the text. */
  readonly start: number
  /** The typed part of the name. */
  readonly typed: string
  /** The quote that is open at the start. */
  readonly quote: Quote
  readonly candidates: readonly Candidate[]
}

type Word = Extract<Ending, { kind: 'word' }>
type Filter = 'all' | 'dirs'

const ONLY_DIRS = new Set(['cd', 'pushd', 'rmdir'])
/** Maximum number of symlinks whose targets are looked up per completion. */
const MAX_LINKS = 200

/** The completions of a word; empty if nothing matches. */
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

/** A word, or its part after a `=` or `:`. */
interface Part {
  readonly start: number
  readonly units: readonly Unit[]
}

/** The parts to try in order: `--file=src/a` may be a file name; otherwise `src/a` is completed. */
function partsOf({ start, units }: Word): readonly Part[] {
  const at = units.findLastIndex(({ isBare, text }) => isBare && (text === '=' || text === ':'))
  const whole = { start, units }
  const mark = units[at]
  return mark ? [whole, { start: mark.end, units: units.slice(at + 1) }] : [whole]
}

/** Whether the part may be a command name: a plain name without a path. */
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

/** The entries that match the typed prefix. Hidden entries need a leading dot. */
function named(typed: string, entries: readonly Entry[]): readonly Entry[] {
  const fitting = entries.filter(({ name }) => name.startsWith(typed) && (typed !== '' || !name.startsWith('.')))
  const dots = ['.', '..'].filter((name) => typed !== '' && name.startsWith(typed))
  return [...dots.map((name): Entry => ({ name, kind: 'dir' })), ...fitting]
}

async function onlyDirs(links: readonly Entry[], dir: string, sources: Sources): Promise<Entry[]> {
  const are = await Promise.all(links.map(({ name }) => sources.isDir(`${dir}${name}`)))
  return links.filter((_, index) => are[index])
}

/** The directory named by the units, up to the last `/`. */
async function folderOf(units: readonly Unit[], sources: Sources): Promise<string> {
  const isHome = units[0]?.isBare && units[0].text === '~' && units[1]?.text === '/'
  const rest = isHome ? units.slice(1) : units
  const texts = await Promise.all(rest.map(({ text, isVariable }) => (isVariable ? sources.valueOf(text) : text)))
  return `${isHome ? await sources.valueOf('HOME') : ''}${texts.join('')}`
}

const textOf = (units: readonly Unit[]): string => units.map(({ text }) => text).join('')
