// biome-ignore-all lint/suspicious/noControlCharactersInRegex: signatures of binary files contain control characters.

import { largest } from './shared/bulk.js'
import { packed, textOf } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { pathOf, statOf } from './shared/files.js'
import { parseOptions } from './shared/options.js'
import { bytesNamed, decoded, linesOf, Report } from './shared/text-io.js'

const OPTIONS =
  'b|brief i|mime mime-type mime-encoding L|dereference h|no-dereference F|separator= 0|print0 N|no-pad f|files-from= E k|keep-going s|special-files'

interface Kind {
  readonly words: string
  readonly mime: string
  /** Charset of a binary file. */
  readonly charset?: string
}

/** Signatures of binary files. */
const MAGIC: readonly (readonly [RegExp, Kind])[] = [
  [/^\x89PNG\r\n\x1a\n....IHDR/s, { words: 'PNG image data', mime: 'image/png' }],
  [/^\xff\xd8\xff/, { words: 'JPEG image data', mime: 'image/jpeg' }],
  [/^GIF8[79]a/, { words: 'GIF image data', mime: 'image/gif' }],
  [/^RIFF....WEBP/s, { words: 'RIFF (little-endian) data, Web/P image', mime: 'image/webp' }],
  [/^%PDF-/, { words: 'PDF document', mime: 'application/pdf' }],
  [/^\x1f\x8b/, { words: 'gzip compressed data', mime: 'application/gzip' }],
  [/^BZh/, { words: 'bzip2 compressed data', mime: 'application/x-bzip2' }],
  [/^\xfd7zXZ\0/, { words: 'XZ compressed data', mime: 'application/x-xz' }],
  [/^PK\x03\x04/, { words: 'Zip archive data', mime: 'application/zip' }],
  [/^.{257}ustar/s, { words: 'POSIX tar archive', mime: 'application/x-tar' }],
  [/^\0asm/, { words: 'WebAssembly (wasm) binary module', mime: 'application/wasm' }],
  [/^\x7fELF/, { words: 'ELF', mime: 'application/x-executable' }],
  [/^SQLite format 3\0/, { words: 'SQLite 3.x database', mime: 'application/vnd.sqlite3' }],
]

/** Text types, recognised by the first line. `words` precedes the description of the encoding, `behind` follows it. */
const TEXTS: readonly (readonly [RegExp, { readonly words: string; readonly behind?: string; readonly mime: string }])[] = [
  [/^#! *\S*(?:\/|env +)bash\b/, { words: 'Bourne-Again shell script, ', behind: ' executable', mime: 'text/x-shellscript' }],
  [/^#! *\S*\/(?:env +)?(?:sh|dash)\b/, { words: 'POSIX shell script, ', behind: ' executable', mime: 'text/x-shellscript' }],
  [/^#! *\S*(?:\/|env +)python[\d.]*/, { words: 'Python script, ', behind: ' executable', mime: 'text/x-script.python' }],
  [/^#! *\S*(?:\/|env +)node\b/, { words: 'Node.js script executable, ', mime: 'application/javascript' }],
  [/^#! *\S*(?:\/|env +)perl\b/, { words: 'Perl script text executable', mime: 'text/x-perl' }],
  [/^\s*<(?:!doctype html|html)\b/i, { words: 'HTML document, ', mime: 'text/html' }],
  [/^<\?xml version="1.0"/, { words: 'XML 1.0 document, ', mime: 'text/xml' }],
  [/^#include\b/m, { words: 'C source, ', mime: 'text/x-c' }],
]

/** The name that is printed for the operand `-`. */
const STDIN = '/dev/stdin'

export const fileCommand: OwnCommand = command('file', { usage: 'file [OPTION]... [FILE]...' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('file', args, OPTIONS)
  const list = given.value('f')
  const listed = list === undefined ? [] : linesOf(textOf(await bytesNamed(context, list)))
  const names = [...listed, ...given.operands].map((name) => (name === '-' ? STDIN : name))
  if (names.length === 0) throw new Failure('no file was named\nUsage: file [OPTION]... FILE...')
  const report = new Report('file')
  const separator = given.value('F') ?? ':'
  const width = given.has('N') ? 0 : largest(names.map((name) => [...name].length))
  const style = given.last('i', 'mime-type', 'mime-encoding')
  let out = ''
  for (const name of names) {
    const { words, mime, charset } = await kindOf(context, name, given.has('L'))
    const text = style === 'i' ? `${mime}; charset=${charset}` : style === 'mime-type' ? mime : style === 'mime-encoding' ? charset : words
    const space = ' '.repeat(Math.max(0, width - [...name].length) + 1)
    out += given.has('b') ? `${text}\n` : `${name}${given.has('0') ? '\0' : ''}${separator}${space}${text}\n`
  }
  return report.result(packed(out))
}

async function kindOf(context: CommandContext, name: string, follow: boolean): Promise<Kind> {
  if (name !== STDIN) {
    const stat = await statOf(context, name, follow)
    if (!stat)
      return {
        words: `cannot open \`${name}' (No such file or directory)`,
        mime: `cannot open \`${name}' (No such file or directory)`,
        charset: 'binary',
      }
    if (stat.isSymbolicLink) {
      const target = await context.fs.readlink(pathOf(context, name))
      const broken = (await statOf(context, name)) === undefined
      return { words: `${broken ? 'broken symbolic link' : 'symbolic link'} to ${target}`, mime: 'inode/symlink', charset: 'binary' }
    }
    if (stat.isDirectory) return { words: 'directory', mime: 'inode/directory', charset: 'binary' }
  }
  const data = begun(await bytesNamed(context, name === STDIN ? '-' : name))
  if (data === '') return { words: 'empty', mime: 'inode/x-empty', charset: 'binary' }
  if (data.length === 1) return { words: 'very short file (no magic)', mime: 'application/octet-stream', charset: 'binary' }
  const magic = MAGIC.find(([start]) => start.test(data))
  return magic ? { charset: 'binary', ...magic[1] } : textKind(data)
}

/** Returns the first megabyte, as GNU `file` inspects no more. Drops an incomplete character at its end. */
const begun = (data: string): string => (data.length <= MOST ? data : data.slice(0, MOST).replace(/[\x80-\xff]{1,4}$/, ''))

const MOST = 1024 * 1024

function textKind(data: string): Kind {
  if (/[\0-\x06\x0e-\x1a\x1c-\x1f\x7f]/.test(data)) return { words: 'data', mime: 'application/octet-stream', charset: 'binary' }
  const [letters, charset] = /^[\0-\x7f]*$/.test(data)
    ? ['ASCII text', 'us-ascii']
    : decoded(data) === undefined
      ? [
          /[\x80-\x9f]/.test(data) ? 'Non-ISO extended-ASCII text' : 'ISO-8859 text',
          /[\x80-\x9f]/.test(data) ? 'unknown-8bit' : 'iso-8859-1',
        ]
      : [data.startsWith('\xef\xbb\xbf') ? 'Unicode text, UTF-8 (with BOM) text' : 'Unicode text, UTF-8 text', 'utf-8']
  if (isJson(data)) return { words: 'JSON text data', mime: 'application/json', charset }
  const found = TEXTS.find(([start]) => start.test(data))?.[1]
  const long = linesOf(data).some((line) => line.length > 300) ? ', with very long lines' : ''
  const ends = !data.includes('\n') ? ', with no line terminators' : !/[^\r]\n|^\n/.test(data) ? ', with CRLF line terminators' : ''
  const words = found?.words.endsWith('executable') ? found.words : `${found?.words ?? ''}${letters}${found?.behind ?? ''}${long}${ends}`
  return { words, mime: found?.mime ?? 'text/plain', charset }
}

function isJson(data: string): boolean {
  if (!/^\s*[[{]/.test(data)) return false
  try {
    JSON.parse(data)
    return true
  } catch {
    return false
  }
}
