/** A program to begin with: what a package has. */
export const usePackage = (name: string): string => `import * as all from ${JSON.stringify(name)}\n\nconsole.log(Object.keys(all))\n`
