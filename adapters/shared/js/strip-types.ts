/** Converts TypeScript to JavaScript with sucrase. Keeps line numbers. @throws {Error} if sucrase is not installed; {SyntaxError} */
export async function stripTypes(code: string, path: string): Promise<string> {
  const { transform } = await import('sucrase').catch((cause: unknown) => {
    throw new Error(
      `Cannot read ${path}: TypeScript needs the package "sucrase" beside this library (npm install sucrase), or "transform"`,
      { cause },
    )
  })
  return transform(code, { transforms: ['typescript'], filePath: path, disableESTransforms: true, preserveDynamicImport: true }).code
}
