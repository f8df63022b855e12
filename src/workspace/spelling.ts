// Imports nothing: in a bundle it is a chunk of its own, which must not share code with the part that is loaded first.

interface Listed {
  readonly root: string
  readdir(folder: string): Promise<readonly { readonly name: string }[]>
}

export interface OtherSpelling {
  readonly path: string
  readonly missed: string
  readonly refused: string
}

/**
 * As much of a path as is there, where a name in it is spelled in another Unicode form (NFC, NFD); for a message, in the escapes of JSON,
 * so that the spelling survives a model.
 */
export async function otherSpelling(fs: Listed, path: string): Promise<OtherSpelling | undefined> {
  const top = fs.root === '/' ? '' : fs.root
  let at = top
  for (const name of path.slice(top.length + 1).split('/')) {
    // What cannot be listed has nothing to offer.
    const names = (await fs.readdir(at || '/').catch(() => [])).map((entry) => entry.name)
    const form = name.normalize('NFC')
    const found = names.includes(name) ? name : names.find((other) => other.normalize('NFC') === form)
    if (found === undefined) break
    at += `/${found}`
  }
  if (path === at || path.startsWith(`${at}/`)) return undefined
  const twin = `"${escaped(at)}" is there, the same name in another Unicode form (NFC, NFD)`
  return { path: at, missed: `no such file or directory, but ${twin}`, refused: `${twin}: use that path, or move that file first` }
}

const escaped = (path: string): string => path.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
