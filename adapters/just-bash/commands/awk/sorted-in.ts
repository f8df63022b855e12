import { pacedSort } from '../shared/bulk.js'
import { Failure } from '../shared/failure.js'
import type { Runtime } from './runtime.js'
import { type AwkArray, compareValues, numberIn, toNumber, type Value } from './values.js'

type Entry = readonly [key: string, value: Value]

/** The keys of an array as `PROCINFO["sorted_in"]` wants them. */
export async function sortedKeys(array: AwkArray, order: string, runtime: Runtime): Promise<readonly string[]> {
  if (order === '' || order === '@unsorted') return [...array.keys()]
  const [, what, how, direction] = /^@(ind|val)_(str|num|type)_(asc|desc)$/.exec(order) ?? []
  if (what === undefined || (what === 'ind' && how === 'type'))
    throw new Failure(
      `PROCINFO["sorted_in"] = "${order}" is not supported in this shell: use @ind_str_asc, @ind_num_desc, @val_num_desc and the like`,
      2,
    )
  const format = runtime.textOf('CONVFMT')
  const texts = (a: Value, b: Value): number => compareValues(runtime.text(a), runtime.text(b), format)
  const compare = ([keyA, a]: Entry, [keyB, b]: Entry): number => {
    if (what === 'ind') return (how === 'num' ? numberIn(keyA) - numberIn(keyB) : 0) || texts(keyA, keyB)
    const kind = how === 'type' ? rank(a) - rank(b) : 0
    return kind || (how === 'num' || (how === 'type' && rank(a) === 0) ? toNumber(a) - toNumber(b) : 0) || texts(a, b)
  }
  const sorted = await pacedSort([...array], direction === 'asc' ? compare : (a, b) => compare(b, a), runtime.pace)
  return sorted.map(([key]) => key)
}

/** Numbers come before texts. */
const rank = (value: Value): number => (typeof value === 'string' || (typeof value === 'object' && value.number === undefined) ? 1 : 0)
