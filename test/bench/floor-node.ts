// The floor of the Node adapter: the same jobs with node:fs/promises alone, one file after another, without a schema.
import { lstat, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addHits, type Hit, type Listed, numbered } from './floor.js'

export async function read(path: string): Promise<string> {
  return numbered(await readFile(path, 'utf8'))
}

export async function edit(path: string, from: string, to: string): Promise<void> {
  await writeFile(
    path,
    (await readFile(path, 'utf8')).replace(from, () => to),
  )
}

export async function grep(root: string, wanted: RegExp): Promise<Hit[]> {
  const hits: Hit[] = []
  for (const path of await filesBelow(root)) {
    const text = await readFile(path, 'utf8')
    if (wanted.test(text)) addHits(hits, wanted, path, text)
  }
  return hits
}

export async function glob(root: string, wanted: RegExp): Promise<string[]> {
  return (await filesBelow(root)).filter((path) => wanted.test(path))
}

export async function list(root: string): Promise<Listed[]> {
  const found: Listed[] = []
  for (const entry of await readdir(root, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) found.push({ path, kind: 'dir' })
    else found.push({ path, kind: 'file', size: (await lstat(path)).size })
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function filesBelow(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true, recursive: true })
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])).sort()
}
