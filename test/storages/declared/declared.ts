import type { FsPart } from '../../contract/fs/case.js'
import type { FsContractOptions } from '../../contract/fs.js'

/** Where a storage meets the contract, and which parts of it, or single cases, it does not. The contract test and the matrix both read this. */
export interface DeclaredStorage {
  /** As in the tables, and in the names of the tests. */
  readonly name: string
  /** The tests that run the contract on it, below `test/`; their names say in which runtimes. */
  readonly tests: readonly string[]
  /** What the tests run it on, where that is not the real thing. */
  readonly on?: string
  /** Optional part that it does not have -> why. */
  readonly without?: Readonly<Partial<Record<FsPart, string>>>
  /** Title of a case -> why it cannot meet it. */
  readonly except?: Readonly<Record<string, string>>
}

export const partsWithout = ({ without = {} }: DeclaredStorage): FsPart[] => Object.keys(without) as FsPart[]

/** What the contract is told of it. */
export function contractOf(storage: DeclaredStorage): Pick<FsContractOptions, 'name' | 'without' | 'except'> {
  const { name, except } = storage
  return { name, without: partsWithout(storage), ...(except && { except }) }
}
