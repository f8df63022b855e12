import { ignoreCodes } from '../../errors/index.js'
import { isRecord } from '../../ops/is-record.js'
import type { Workspace } from '../../types/workspace.js'
import { joinPath } from '../../workspace/paths.js'
import { textsOf } from './entry.js'
import { installError, shown } from './faults.js'
import type { Overrides, Wants } from './tree.js'

/** A package.json with its formatting, so that a rewrite keeps the formatting. */
export interface Project {
  /** Virtual path of the file. */
  readonly path: string
  readonly exists: boolean
  readonly json: Readonly<Record<string, unknown>>
  readonly bom: boolean
  readonly indent: string
  readonly newline: '\n' | '\r\n'
  readonly finalNewline: boolean
}

type Group = 'dependencies' | 'devDependencies' | 'optionalDependencies' | 'peerDependencies'

const NEW: Omit<Project, 'path'> = { exists: false, json: {}, bom: false, indent: '  ', newline: '\n', finalNewline: true }
const LARGEST = 4 * 1024 * 1024

/** @throws {InputError} `project`, if the file is not a JSON object or asks for something unsupported */
export async function readProject(workspace: Workspace, folder: string): Promise<Project> {
  const path = joinPath(folder, 'package.json')
  const file = await workspace.readText(path, { maxBytes: LARGEST }).catch(ignoreCodes('ENOENT'))
  if (!file) return { path, ...NEW }
  const json = parseObject(path, file.text)
  for (const key of ['workspaces']) {
    if (json[key] !== undefined)
      throw installError('project', `Cannot install into "${path}": it has "${key}", which are not supported here`)
  }
  return {
    path,
    exists: true,
    json,
    bom: file.bom,
    indent: /^\s*\{\s*?\n([ \t]+)"/.exec(file.text)?.[1] ?? '  ',
    newline: file.text.includes('\r\n') ? '\r\n' : '\n',
    finalNewline: file.text.trim() === '' || /\n\s*$/.test(file.text),
  }
}

/** @throws {InputError} `project` */
export function parseObject(path: string, text: string): Readonly<Record<string, unknown>> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw installError('project', `Cannot install: "${path}" is not JSON (${error instanceof Error ? error.message : String(error)})`)
  }
  if (!isRecord(json)) throw installError('project', `Cannot install: "${path}" does not hold a JSON object`)
  return json
}

/** @throws {InputError} `project`, for a dependency that is not a string */
export function wantsOf({ json, path }: Project): Wants {
  const group = (name: Group): ReadonlyMap<string, string> => {
    const raw = json[name]
    if (raw === undefined) return new Map()
    const texts = isRecord(raw) ? Object.entries(raw) : undefined
    if (!texts?.every(([, value]) => typeof value === 'string')) {
      throw installError('project', `Cannot install: "${name}" of "${path}" must map names to versions`)
    }
    return new Map(texts as [string, string][])
  }
  return {
    dependencies: group('dependencies'),
    devDependencies: group('devDependencies'),
    optionalDependencies: group('optionalDependencies'),
    peerDependencies: group('peerDependencies'),
  }
}

/**
 * Reads `overrides` in its simple form: the version by name, or `$name` for the project's own dependency.
 *
 * @throws {InputError} `project`, for overrides limited to some packages or versions, and for one that contradicts the project's own
 * dependency
 */
export function overridesOf({ json, path }: Project, wants: Wants): Overrides {
  if (json.overrides === undefined) return new Map()
  const refuse = (why: string): Error => installError('project', `Cannot install: "overrides" of "${path}" ${why}`)
  if (!isRecord(json.overrides)) throw refuse('is not an object')
  const own = new Map([...wants.devDependencies, ...wants.dependencies, ...wants.optionalDependencies])
  const overrides = new Map<string, string>()
  for (const [name, value] of Object.entries(json.overrides)) {
    if (typeof value !== 'string' || name.indexOf('@', 1) >= 0)
      throw refuse(`has ${shown(name)} for some packages or versions only, which is not supported here: set one version for all`)
    const given = value.startsWith('$') ? own.get(value.slice(1)) : value
    if (given === undefined) throw refuse(`names ${shown(value)}, which the project does not depend on`)
    if (own.has(name) && own.get(name) !== given) throw refuse(`changes ${shown(name)}, which is a direct dependency: change that instead`)
    overrides.set(name, given)
  }
  return overrides
}

export interface Saved {
  readonly name: string
  readonly given: string
  /** Whether to save in `devDependencies`. Default: in the current group, else `dependencies`. */
  readonly dev: boolean | undefined
}

/** Adds dependencies, each in one group, sorted by name. Returns the same object if nothing changes. */
export function withDependencies(project: Project, saved: readonly Saved[]): Project {
  if (saved.length === 0) return project
  const json: Record<string, unknown> = { ...project.json }
  for (const { name, given, dev } of saved) {
    const current = (['optionalDependencies', 'devDependencies', 'dependencies'] as const).find((group) => {
      const texts = json[group]
      return isRecord(texts) && Object.hasOwn(texts, name)
    })
    const group =
      dev === undefined
        ? (current ?? 'dependencies')
        : dev
          ? 'devDependencies'
          : current === 'optionalDependencies'
            ? current
            : 'dependencies'
    if (current && current !== group) json[current] = without(textsOf(json[current]) ?? {}, name)
    json[group] = sorted({ ...textsOf(json[group]), [name]: given })
  }
  for (const group of ['dependencies', 'devDependencies'] as const)
    if (isRecord(json[group]) && Object.keys(json[group]).length === 0) delete json[group]
  return JSON.stringify(json) === JSON.stringify(project.json) ? project : { ...project, json }
}

function without(texts: Readonly<Record<string, string>>, name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).filter(([key]) => key !== name))
}

function sorted(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).sort(([a], [b]) => a.localeCompare(b, 'en')))
}

/** Returns the text of package.json with its original indentation, line ends and final newline. */
export function projectText({ json, indent, newline, finalNewline }: Project): string {
  const text = JSON.stringify(json, null, indent) + (finalNewline ? '\n' : '')
  return newline === '\n' ? text : text.replaceAll('\n', newline)
}
