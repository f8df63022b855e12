export type Strip = (code: string, path: string, format: 'module' | 'commonjs') => Promise<string>

export const isTypeScript = (path: string): boolean => /\.[cm]?ts$/.test(path) && !/\.d\.[cm]?ts$/.test(path)

/** Converts TypeScript to JavaScript with sucrase. Keeps line numbers. @throws {Error} if sucrase is not installed; {SyntaxError} */
export const stripTypes: Strip = async (code, path, format) => {
  const { transform } = await import('sucrase').catch((cause: unknown) => {
    throw new Error(`Cannot read ${path}: TypeScript needs the package "sucrase" beside this library (npm install sucrase)`, { cause })
  })
  const transforms: ('typescript' | 'imports')[] = format === 'commonjs' ? ['typescript', 'imports'] : ['typescript']
  return transform(code, { transforms, filePath: path, disableESTransforms: true, preserveDynamicImport: true }).code
}
