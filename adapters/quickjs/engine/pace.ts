/** As the engine is built: jumps and calls between two questions whether to go on. */
const BUILT_IN = 10_000
/** So many of them may each throw out of a deep stack, or search a long text: 10,000 would be seconds. A question takes 0.2 µs. */
const OFTEN = 250
/** Between two questions while each of them is slow. */
const SELDOM_MS = 5
const SLOW = 10
/** How far the context's fields are looked through for the counter, in words. */
const FIELDS = 128

/** Has the engine ask more often. */
export interface Pace {
  /** Called at each question: the jumps and calls since the last one. */
  passed(): number
}

/** @param context address of the engine's context, which counts down to the next question */
export function createPace(memory: WebAssembly.Memory, context: number): Pace {
  let place: number | undefined
  let next = BUILT_IN
  let last = performance.now()
  let words = new Int32Array(memory.buffer)
  return {
    passed() {
      const now = performance.now()
      const done = next
      // The view is gone when the memory has grown.
      if (words.length === 0) words = new Int32Array(memory.buffer)
      place ??= placeOf(words, context / 4)
      if (place !== undefined) words[place] = next = now - last > SELDOM_MS ? SLOW : OFTEN
      last = now
      return done
    },
  }
}

/** The engine has just set its counter. A pattern that is matched has one of its own: then it is looked for again. */
function placeOf(words: Int32Array, from: number): number | undefined {
  // A search of the words as they are would go through all of the memory.
  const fields = words.subarray(from, from + FIELDS)
  const found = fields.indexOf(BUILT_IN)
  return found < 0 || fields.indexOf(BUILT_IN, found + 1) >= 0 ? undefined : from + found
}
