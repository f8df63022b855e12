import type { FsPart } from '../../contract/fs/case.js'
import type { FsContractOptions } from '../../contract/fs.js'

/** A storage, with the parts and cases of the contract that it lacks. The contract test and the matrix both use this. */
export interface DeclaredStorage {
  /** Name in the tables, and in the titles of the tests. */
  readonly name: string
  /** Paths of the storage's contract tests, below `test/`. The suffix of each name gives the runtime. */
  readonly tests: readonly string[]
  /** What the tests use instead of the real storage, such as a fake. */
  readonly on?: string
  /** Optional part that the storage lacks -> reason. */
  readonly without?: Readonly<Partial<Record<FsPart, string>>>
  /** Title of a test case that the storage fails -> reason. */
  readonly except?: Readonly<Record<string, string>>
}

export const partsWithout = ({ without = {} }: DeclaredStorage): FsPart[] => Object.keys(without) as FsPart[]

/** The storage's options for the contract. */
export function contractOf(storage: DeclaredStorage): Pick<FsContractOptions, 'name' | 'without' | 'except'> {
  const { name, except } = storage
  return { name, without: partsWithout(storage), ...(except && { except }) }
}
