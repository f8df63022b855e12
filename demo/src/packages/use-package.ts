/** An example program that prints the exports of a package. */
export const usePackage = (name: string): string => `import * as all from ${JSON.stringify(name)}\n\nconsole.log(Object.keys(all))\n`
