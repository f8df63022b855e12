import { Module } from 'node:module'
import type { Task } from './task.js'
import { isTypeScript, type TypeScript, typescriptName } from './typescript.js'

/** Members of Node's CommonJS loader that have no types, but that tools commonly hook. */
interface Loader {
  _extensions: Record<string, (module: LoadingModule, filename: string) => void>
  _resolveFilename(request: string, ...rest: readonly unknown[]): string
}
interface LoadingModule {
  _compile(code: string, filename: string, format?: string): void
}

/** Makes `require` load TypeScript files and a program that is not a file. */
export function extendCommonJs(task: Task | undefined, typescript: TypeScript): void {
  const loader = Module as unknown as Loader
  serveTypeScript(loader, typescript)
  findFiles(loader, task)
  if (task?.source?.format === 'commonjs') serveProgram(loader, task.main, task.source.code, typescript)
}

function serveTypeScript({ _extensions }: Loader, typescript: TypeScript): void {
  for (const extension of ['.ts', '.mts', '.cts']) {
    _extensions[extension] = (module, filename) => {
      const { code, format } = typescript.load(filename)
      module._compile(code, filename, format)
    }
  }
}

function findFiles(loader: Loader, task: Task | undefined): void {
  const find = loader._resolveFilename
  loader._resolveFilename = function _resolveFilename(request, ...rest) {
    if (task?.source && request === task.main) return task.main
    try {
      return find.call(this, request, ...rest)
    } catch (error) {
      const other = (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND' ? typescriptName(request) : undefined
      if (other === undefined) throw error
      try {
        return find.call(this, other, ...rest)
      } catch {
        throw error
      }
    }
  }
}

/** Makes the loader use `code` as the source of the program. Hooks the loader of the program's extension until the program is loaded. */
function serveProgram({ _extensions }: Loader, main: string, code: string, typescript: TypeScript): void {
  const extension = /\.[^./]+$/.exec(main)?.[0] ?? '.js'
  const before = Object.getOwnPropertyDescriptor(_extensions, extension)
  _extensions[extension] = (module, filename) => {
    if (filename !== main) return before?.value(module, filename)
    if (before) Object.defineProperty(_extensions, extension, before)
    else delete _extensions[extension]
    module._compile(isTypeScript(main) ? typescript.strip(code, main, 'commonjs') : code, main, 'commonjs')
  }
}
