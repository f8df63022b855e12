/** TypeScript to JavaScript, line by line, by sucrase. @throws Error where it is not installed, SyntaxError for what is none */
export async function stripTypes(code: string, path: string): Promise<string> {
  const { transform } = await import('sucrase').catch((cause: unknown) => {
    throw new Error(
      `Cannot read ${path}: TypeScript needs the package "sucrase" beside this library (npm install sucrase), or "transform"`,
      { cause },
    )
  })
  return transform(code, { transforms: ['typescript'], filePath: path, disableESTransforms: true, preserveDynamicImport: true }).code
}
