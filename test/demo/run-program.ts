import { transform } from 'sucrase'

type Body = (...given: unknown[]) => Promise<unknown>
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (...parts: string[]) => Body

/** Runs a TypeScript program, whose imports are these modules, and returns what it printed. */
export async function runProgram(code: string, modules: Readonly<Record<string, unknown>>): Promise<string[]> {
  const { code: plain } = transform(code, { transforms: ['typescript', 'imports'] })
  const printed: string[] = []
  const require = (name: string): unknown => {
    if (!Object.hasOwn(modules, name)) throw new Error(`There is no module ${name}`)
    return modules[name]
  }
  const console = { log: (...words: readonly unknown[]) => printed.push(words.join(' ')) }
  await new AsyncFunction('require', 'exports', 'console', plain)(require, {}, console)
  return printed
}
